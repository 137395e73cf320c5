/**
 * Moves the focus to the page's next act once an act is done: where the focused control is gone, or
 * where the focus is in the head of the page and the primary act there has become another one.
 * Returns what ends it.
 */
export function followFocus(): () => void {
  let last: Element | null = null;
  let act = nameOf(document.querySelector("main [data-head] [data-primary]"));
  let isDue = false;
  const follow = () => {
    const active = document.activeElement;
    const dialog = active?.closest("[role=dialog]");
    const head = document.querySelector("main [data-head]");
    const inHead = head?.querySelector<HTMLElement>("[data-primary]");
    const name = nameOf(inHead);
    // A dialog may still be open over it; anywhere else the focus is where a person put it.
    const isElsewhere = active !== document.body && !dialog && !head?.contains(active);
    isDue = !isElsewhere && (isDue || (act !== null && name !== null && name !== act));
    act = name;
    // A table keeps its own focus.
    const isGone = last !== null && !last.isConnected && !last.closest("[role=row]");
    if (isGone && (active === document.body || active === dialog)) {
      const place = dialog ?? document.querySelector("main");
      const next = inHead && !dialog ? inHead : place?.querySelector<HTMLElement>("[data-primary]");
      if (next && isInView(next)) next.focus({ preventScroll: true });
    } else if (isDue && head?.contains(active)) {
      isDue = false;
      inHead?.focus({ preventScroll: true });
    }
  };
  const keep = () => {
    if (isDue) follow();
    last = document.activeElement;
  };
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  document.addEventListener("focusin", keep);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", keep);
  };
}

function isInView(act: HTMLElement): boolean {
  const { top, bottom } = act.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Without its figures: "Pick 3 orders" stays the same act while orders arrive. */
const nameOf = (act: Element | null | undefined) =>
  act?.textContent?.replaceAll(/[\d.,\s]+/g, " ") ?? null;
