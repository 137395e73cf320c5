import { useQuery } from "@tanstack/react-query";
import { ChoiceField } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import { sourceQueries } from "./queries";

/** Chooses one of the other sources; blank is none yet. */
export function SourceSelect(props: {
  label: string;
  /** The id as text, or what `extra` names. */
  value: string;
  onChange: (value: string) => void;
  except: number;
  extra?: readonly { value: string; label: string }[];
}) {
  const { label, value, onChange, except, extra = [] } = props;
  const sources = useQuery(sourceQueries.options());
  const data = sources.data ?? [];
  return (
    <ChoiceField
      label={label}
      hint={sources.error ? <LoadProblem query={sources} what="Your sources" /> : undefined}
      required
      value={value}
      onChange={onChange}
      options={[
        { value: "", label: "Choose…" },
        ...extra,
        ...data
          .filter(({ id }) => id !== except)
          .map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}
