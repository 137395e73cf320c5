import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Field, type Option, Select } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import { containerTypeQueries } from "./queries";

/** The container types of the account, after the choices in `first`. */
export function ContainerTypeField({
  first,
  ...select
}: Omit<ComponentProps<typeof Select>, "options"> & { first: readonly Option[] }) {
  const types = useQuery(containerTypeQueries.list());
  return (
    <Field
      label="Container type"
      hint={
        types.error ? (
          <LoadProblem query={types} what="Container types" />
        ) : (
          "Fills in its limits; they can be changed here."
        )
      }
    >
      <Select
        {...select}
        options={[
          ...first,
          ...(types.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </Field>
  );
}
