/** Builds the fields of an upload form. */
export type FormValue =
  | string
  | number
  | boolean
  | Blob
  | readonly (string | number | Blob)[]
  | null
  | undefined;

/** Undefined and null fields are left out; a file keeps its name; a list becomes repeated fields. */
export function formOf(fields: Readonly<Record<string, FormValue>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else if (Array.isArray(value))
      for (const each of value) form.append(name, each instanceof Blob ? each : String(each));
    else if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return form;
}
