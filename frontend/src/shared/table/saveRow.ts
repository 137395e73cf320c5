/**
 * Saves what a form holds: other values of `row`, or a new row. The toast, and Ctrl+Z in its table,
 * undo it. Resolves with the stored row.
 */
export async function saveRow<Row extends { name: string }, Values extends Partial<Row>>(form: {
  /** The `historyKey` of the table whose row it is, or its id. */
  table: string;
  row: Row | undefined;
  values: Values;
  edit: (row: Row, changes: Partial<Row>) => Promise<Row>;
  make: (values: Values) => Promise<Row>;
  /** What the toast says of a new one. */
  madeWord: "added" | "made";
  /** Deletes a new one again. */
  remove: (made: Row) => Promise<unknown>;
}): Promise<Row> {
  const { table, row, values, edit, make, madeWord, remove } = form;
  if (row) {
    const saved = await edit(row, values);
    const { tellSaved } = await import("./editing/tellSaved");
    const told = { table, before: row, saved, changes: values, name: saved.name };
    await tellSaved<Row>({ ...told, save: edit });
    return saved;
  }
  const made = await make(values);
  const { tellMade } = await import("./editing/tellMade");
  await tellMade({ table, words: `${made.name} ${madeWord}`, remove: () => remove(made) });
  return made;
}
