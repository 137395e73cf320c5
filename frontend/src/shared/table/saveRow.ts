/** The mutations of a kind of row, as its form needs them. */
type Writes<Row, Values> = {
  edit: { mutateAsync: (edit: { row: Row; changes: Values }) => Promise<Row> };
  create: { mutateAsync: (values: Values) => Promise<Row> };
  /** Deletes a new one again. */
  remove: (made: Row) => Promise<unknown>;
  /** What the toast says of a new one. */
  madeWord?: "added" | "made";
};

/**
 * Saves what a form holds: other values of `row`, or a new row. The toast, and Ctrl+Z in its table,
 * undo it. Resolves with the stored row. `table`: the `historyKey` of the table, or its id.
 */
export async function saveRow<Row extends { name: string }, Values extends Partial<Row>>(
  table: string,
  row: Row | undefined,
  values: Values,
  { edit, create, remove, madeWord = "added" }: Writes<Row, Values>,
): Promise<Row> {
  if (row) {
    const save = (one: Row, changes: Partial<Row>) =>
      edit.mutateAsync({ row: one, changes: changes as Values }); // of the fields of the form
    const saved = await save(row, values);
    const { tellSaved } = await import("./editing/tellSaved");
    await tellSaved<Row>({ table, before: row, saved, changes: values, name: saved.name, save });
    return saved;
  }
  const made = await create.mutateAsync(values);
  const { tellMade } = await import("./editing/tellMade");
  await tellMade({ table, words: `${made.name} ${madeWord}`, remove: () => remove(made) });
  return made;
}
