/** What a log says of who did it: the person, and the token of a program that did it in his name. */
export type Did = { by_name: string | null; program: string };

export const byWhom = ({ by_name, program }: Did): string =>
  [by_name, program && `by the token “${program}”`].filter(Boolean).join(", ");
