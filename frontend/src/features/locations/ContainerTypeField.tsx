import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Field, type Option, Select } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import type { ContainerType } from "./model";

/** A choice of the container types in `query`, after those in `first`. */
export function ContainerTypeField({
  first,
  query,
  hint = "Fills in its limits; they can be changed here.",
  ...select
}: Omit<ComponentProps<typeof Select>, "options"> & {
  first: readonly Option[];
  hint?: string;
  query: Pick<UseQueryResult<ContainerType[]>, "data" | "error" | "refetch">;
}) {
  return (
    <Field
      label="Container type"
      hint={query.error ? <LoadProblem query={query} what="Container types" /> : hint}
    >
      <Select
        {...select}
        options={[
          ...first,
          ...(query.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </Field>
  );
}
