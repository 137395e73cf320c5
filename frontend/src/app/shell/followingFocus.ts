const LAYERS = "[role=dialog], [role=menu], [data-toast]";
const ROWS = "li, tr, [role=row]";
const CONTROLS = "a[href], button, input, select, textarea, [tabindex]";

/** Where the focus was: its control, and the row around that, which may go with it. */
type Spot = { control: Element; rows: Element | null; row: number; place: number };

function spotOf(control: Element): Spot {
  const row = control.closest(ROWS);
  // In a list that scrolls by itself another row would be in its place.
  const rows = row?.hasAttribute("data-index") ? null : (row?.parentElement ?? null);
  return {
    control,
    rows,
    row: row && rows ? [...rows.children].indexOf(row) : 0,
    place: row ? [...row.querySelectorAll(CONTROLS)].indexOf(control) : 0,
  };
}

/** The same control of the row that is now in its row's place, or of the last row. */
function inItsPlace({ rows, row, place }: Spot): Element | undefined {
  if (!rows?.isConnected) return undefined;
  const controls = (rows.children[row] ?? rows.lastElementChild)?.querySelectorAll(CONTROLS);
  return controls?.[place] ?? controls?.[0];
}

/**
 * Moves the focus to the page's next act once an act is done: where the focus is in the head of the
 * page and the primary act there has become another one. Where the focused control is gone, it goes
 * to what opened its dialog, to the row in its row's place, to the primary act or to the page, so
 * that keys and screen readers continue there. Returns what ends it.
 */
export function followFocus(): () => void {
  let last: Element | null = null;
  let layer: Element = document.body;
  /** What has the focus until the page has something better. */
  let parked: Element | null = null;
  let path = location.pathname;
  const spots = new WeakMap<Element, Spot>();
  const beneath = new WeakMap<Element, Element>();
  let act = nameOf(document.querySelector("main [data-head] [data-primary]"));
  let isDue = false;

  const leaveClosed = () => {
    while (!layer.isConnected) layer = beneath.get(layer) ?? document.body;
  };
  const moveBack = () => {
    leaveClosed();
    const place = layer === document.body ? document.querySelector("main") : layer;
    const spot = spots.get(layer);
    const inHead = place?.querySelector("[data-head] [data-primary]");
    const next = inHead ?? place?.querySelector("[data-primary]");
    const primary = next && isInView(next) ? next : null;
    const before = document.activeElement;
    for (const one of [spot?.control, spot && inItsPlace(spot), primary, place]) {
      // Another page begins at its top.
      if (one === place && location.pathname === path) parked = place;
      if (one instanceof HTMLElement) one.focus({ preventScroll: true });
      if (document.activeElement !== before) return;
    }
  };
  const follow = () => {
    const active = document.activeElement;
    const dialog = active?.closest("[role=dialog]");
    const head = document.querySelector("main [data-head]");
    const inHead = head?.querySelector<HTMLElement>("[data-primary]");
    const name = nameOf(inHead);
    // A dialog may still be open over it; anywhere else the focus is where a person put it.
    const isFree = active === document.body || active === dialog || active === parked;
    const isElsewhere = !isFree && !dialog && !head?.contains(active);
    isDue = !isElsewhere && (isDue || (act !== null && name !== null && name !== act));
    act = name;
    // A table keeps its own focus.
    const isKept = last?.closest("[role=row]") && !last.closest("[role=grid]");
    if (last && !last.isConnected && !isKept && isFree) {
      moveBack();
    } else if (isDue && head?.contains(active)) {
      isDue = false;
      inHead?.focus({ preventScroll: true });
    }
  };
  const keep = (evenParked: unknown) => {
    if (document.activeElement === parked && evenParked !== true) return;
    parked = null;
    if (isDue) follow();
    last = document.activeElement;
    path = location.pathname;
    if (!last) return;
    const next = last.closest(LAYERS) ?? document.body;
    leaveClosed();
    // Where it was first entered from: so none is beneath itself.
    if (next !== layer && !beneath.has(next)) beneath.set(next, layer);
    layer = next;
    // The dialog itself takes the focus where its control is gone.
    if (last !== layer || !spots.has(layer)) spots.set(layer, spotOf(last));
  };
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("focusin", keep, { signal });
  // Keys and clicks end it: the focus is not moved under a person who goes on.
  for (const type of ["keydown", "pointerdown"]) {
    document.addEventListener(type, () => parked && keep(true), { signal, capture: true });
  }
  return () => {
    observer.disconnect();
    listening.abort();
  };
}

function isInView(act: Element): boolean {
  const { top, bottom } = act.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Without its figures: "Pick 3 orders" stays the same act while orders arrive. */
const nameOf = (act: Element | null | undefined) =>
  act?.textContent?.replaceAll(/[\d.,\s]+/g, " ") ?? null;
