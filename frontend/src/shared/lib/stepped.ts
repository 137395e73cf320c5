/** The index after `steps` steps, wrapping around. -1 for an empty list. */
export function stepped(index: number, steps: number, length: number): number {
  return length === 0 ? -1 : (((index + steps) % length) + length) % length;
}
