import { useState } from "react";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Checkbox } from "@/shared/ui/Checkbox";
import { InputField } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { forSaleQueries } from "./queries";

/** Categories to tick: the ticked ones first, then those that a search finds. */
export function CategoryPicker(props: {
  ids: readonly number[];
  onChange: (ids: number[]) => void;
}) {
  const { ids, onChange } = props;
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const chosen = useSideQuery(forSaleQueries.chosen(ids), "the chosen categories") ?? [];
  const found = useSideQuery(
    { ...forSaleQueries.found(search), enabled: search !== "" },
    "the categories",
  );
  const others = search === "" ? [] : (found ?? []).filter(({ id }) => !ids.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <InputField
        label="Categories"
        hint={ids.length === 0 ? "Search by name, then tick." : undefined}
        type="search"
        value={text}
        onChange={setText}
      />
      <div className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {[...chosen.filter(({ id }) => ids.includes(id)), ...others].map(({ id, path }) => (
          <Checkbox
            key={id}
            label={path}
            checked={ids.includes(id)}
            onChange={() =>
              onChange(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
            }
          />
        ))}
      </div>
    </div>
  );
}
