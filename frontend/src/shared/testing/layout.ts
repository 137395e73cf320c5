/** Gives elements a size, which jsdom does not: without it a virtual list renders no rows. */
export function giveElementsASize(width = 1200, height = 600): void {
  for (const [name, value] of [
    ["offsetWidth", width],
    ["offsetHeight", height],
    ["clientWidth", width],
    ["clientHeight", height],
  ] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
}
