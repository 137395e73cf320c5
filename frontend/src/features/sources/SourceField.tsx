import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { SelectField } from "@/shared/form/fields";
import type { Option } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import { sourceQueries } from "./queries";

/** The source of a form's row: none, or one of the person's. `first` stands before them. */
export function SourceField<Values extends { source: string }>(
  props: Pick<ComponentProps<typeof SelectField<Values>>, "form" | "name" | "className"> & {
    first?: readonly Option[];
  },
) {
  const { first = [{ value: "", label: "None" }], ...field } = props;
  const sources = useQuery(sourceQueries.options());
  return (
    <SelectField
      {...field}
      label="Source"
      hint={sources.error ? <LoadProblem query={sources} what="Your sources" /> : undefined}
      options={[
        ...first,
        ...(sources.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}
