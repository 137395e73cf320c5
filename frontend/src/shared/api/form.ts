/** Builds the fields of an upload form. */
export type FormValue = string | number | boolean | Blob | null | undefined;

/** Undefined and null fields are left out; a file keeps its name. */
export function formOf(fields: Readonly<Record<string, FormValue>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return form;
}
