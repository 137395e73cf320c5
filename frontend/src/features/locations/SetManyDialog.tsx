import { useQuery } from "@tanstack/react-query";
import type { ChangeEvent } from "react";
import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { fits, fitsTogether } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { counted, formatCount } from "@/shared/lib/format";
import { entriesOf } from "@/shared/lib/records";
import { ContainerTypeField } from "./ContainerTypeField";
import { LimitFields } from "./LimitFields";
import { type LabelChoice, labelFilters, labelled } from "./labels";
import { useSetMany, useTellSet } from "./mutations";
import { containerTypeQueries } from "./queries";
import {
  changesOf,
  type LimitTexts,
  NONE,
  noLimits,
  setTextsOf,
  whyNotCount,
  whyNotRange,
  whyNotWeight,
} from "./rules";

const AS_IT_IS = "";

const orNone = (whyNot: (text: string) => string | null) => (text: string) =>
  text.trim().toLowerCase() === NONE ? null : whyNot(text);
const weight = z.string().check(fits(orNone(whyNotWeight)));

const schema = z
  .object({
    type: z.string(),
    max_item_count: z.string().check(fits(orNone(whyNotCount))),
    max_total_weight: weight,
    min_item_weight: weight,
    max_item_weight: weight,
  })
  .check(
    fitsTogether<LimitTexts>("min_item_weight", (values) =>
      whyNotRange(values.min_item_weight, values.max_item_weight),
    ),
  );

/** Sets the type and the limits of many locations at once; what is left blank stays. */
export function SetManyDialog(props: { choice: LabelChoice; onClose: () => void }) {
  const { choice, onClose } = props;
  const types = useQuery(containerTypeQueries.list());
  const setMany = useSetMany();
  const tell = useTellSet();
  const which = choice.ids ? { ids: [...choice.ids] } : { filter: labelFilters(choice) };
  const form = useZodForm({
    schema,
    defaultValues: { type: AS_IT_IS, ...noLimits },
    onSubmit: async ({ type, ...texts }) => {
      const set = {
        ...(type !== AS_IT_IS && {
          inventory_container_type_id: type === NONE ? null : Number(type),
        }),
        ...changesOf(texts),
      };
      if (Object.keys(set).length === 0) {
        onClose();
        return;
      }
      const done = await setMany.mutateAsync({ ...which, set });
      await tell(
        `${counted(done.changed, "bin")} changed`,
        done.over > 0 ? `${formatCount(done.over)} are over their limits now.` : undefined,
        done.before,
      );
      onClose();
    },
  });
  const typeField = form.register("type");
  const chooseType = (event: ChangeEvent<HTMLSelectElement>) => {
    void typeField.onChange(event);
    const type = types.data?.find(({ id }) => String(id) === event.target.value);
    for (const [name, text] of entriesOf(type ? setTextsOf(type) : noLimits)) {
      form.setValue(name, text, { shouldValidate: true });
    }
  };

  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Change ${labelled(choice)}`}
      description="Blank fields stay as they are."
      submitLabel={`Change ${labelled(choice)}`}
      size="md"
    >
      <ContainerTypeField
        query={types}
        {...typeField}
        onChange={chooseType}
        first={[
          { value: AS_IT_IS, label: "As it is" },
          { value: NONE, label: "None" },
        ]}
      />
      <LimitFields form={form} blank="as it is" of={which} />
    </FormDialog>
  );
}
