/** Which mutations show their failure as a toast: said by their `meta`, done in one place. */
type Telling = boolean | string;

export type TellsFailure = {
  /**
   * Its failure is shown as a toast, for it has no place of its own on the page. A text comes
   * before the reason; a function leaves out the failures that the page answers by itself.
   */
  tellsFailure?: Telling | ((error: Error, variables: never) => Telling);
};

/** Shows why a mutation failed; `before` precedes the reason. */
export type TellFailure = (error: Error, before?: string) => void;

/** Shows the failure of a mutation as its `meta` asks for. */
export function tell(
  show: TellFailure,
  error: Error,
  variables: unknown,
  { tellsFailure }: TellsFailure,
) {
  const telling =
    typeof tellsFailure === "function" ? tellsFailure(error, variables as never) : tellsFailure;
  if (telling) show(error, telling === true ? undefined : telling);
}
