/**
 * jsdom computes a whole style each time that a query asks whether an element is hidden, which is a
 * tenth of what page tests cost. Here the properties that queries, dialogs and menus ask for are
 * looked up alone; for all others, jsdom is asked. No style sheet is loaded in tests: beside its own
 * `style`, an element is displayed as the browser displays its kind.
 */
const ofKind = new Map<string, string>();
const compute = window.getComputedStyle.bind(window);

function displayOf(element: Element): string {
  const own = styleOf(element)?.display;
  if (own) return own;
  const marks = ["hidden", "open", "type", "controls"].map((name) => element.getAttribute(name));
  const kind = [element.namespaceURI, element.localName, ...marks].join(" ");
  const known = ofKind.get(kind);
  if (known !== undefined) return known;
  const { display } = compute(element);
  ofKind.set(kind, display);
  return display;
}

/** The value of the nearest element that says one. */
function inherited(element: Element | null, name: "visibility" | "pointerEvents"): string {
  for (let one = element; one; one = one.parentElement) {
    const own = styleOf(one)?.[name];
    if (own) return own;
  }
  return name === "visibility" ? "visible" : "auto";
}

const styleOf = (element: Element) => (element as Partial<HTMLElement>).style;

/** Neither inherited nor set by a browser for a kind of element that has them asked. */
const OWN = ["animationName", "opacity", "overflow", "overflowX", "overflowY", "position"] as const;

const alone: Record<string, (element: Element) => string> = {
  display: displayOf,
  visibility: (element) => inherited(element, "visibility"),
  pointerEvents: (element) => inherited(element, "pointerEvents"),
  "pointer-events": (element) => inherited(element, "pointerEvents"),
  ...Object.fromEntries(
    OWN.map((name) => [name, (element: Element) => styleOf(element)?.[name] ?? ""]),
  ),
};

window.getComputedStyle = (element, pseudo) => {
  if (pseudo) return compute(element, pseudo);
  let whole: CSSStyleDeclaration | undefined;
  const read = (name: string) => {
    whole ??= compute(element);
    return whole.getPropertyValue(name);
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name: string) {
      if (name === "getPropertyValue") return (of: string) => alone[of]?.(element) ?? read(of);
      if (alone[name]) return alone[name](element);
      whole ??= compute(element);
      const value: unknown = Reflect.get(whole, name);
      return typeof value === "function" ? value.bind(whole) : value;
    },
  });
};
