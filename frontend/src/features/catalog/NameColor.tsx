import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Combobox } from "@/shared/ui/Combobox";
import { Field } from "@/shared/ui/Field";
import { ColorName } from "@/shared/ui/Lot";
import { LoadProblem } from "@/shared/ui/states";
import { type ColorOption, narrowColors } from "./colorRanking";
import { catalogQueries } from "./queries";

/** Names the colour of a part of which the catalogue knows none: any there is. */
export function NameColor({ onColor }: { onColor: (color: ColorOption | null) => void }) {
  const colors = useQuery(catalogQueries.colors());
  const [text, setText] = useState("");
  return (
    <Field
      label="Colour"
      required
      className="w-56"
      hint={colors.error ? <LoadProblem query={colors} what="The colours" /> : undefined}
    >
      <Combobox
        text={text}
        onText={(typed) => {
          setText(typed);
          onColor(null);
        }}
        options={narrowColors([], colors.data ?? [], text)}
        getKey={({ colorId }) => String(colorId)}
        renderOption={({ name, html }) => <ColorName name={name} html={html} />}
        onPick={(color) => {
          setText(color.name);
          onColor(color);
        }}
        loading={colors.isPending}
        empty={
          colors.error
            ? "The colours could not be loaded."
            : text.trim() === ""
              ? "Type a part of its name."
              : "No such colour."
        }
        placeholder="Name"
      />
    </Field>
  );
}
