import { useQuery } from "@tanstack/react-query";
import { sourceQueries } from "@/features/sources/public";
import { ChoiceField } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";

/** Narrows batches to those of one source; not drawn while there are no sources. */
export function SourceFilter(props: { value: string; onChange: (value: string | null) => void }) {
  const query = useQuery(sourceQueries.options());
  const sources = query.data ?? [];
  if (query.error) return <LoadProblem query={query} what="Your sources" />;
  if (sources.length === 0) return null;
  return (
    <ChoiceField
      label="Source"
      hideLabel
      className="w-full sm:w-52"
      value={props.value}
      onChange={(value) => props.onChange(value || null)}
      options={[
        { value: "", label: "Any source" },
        ...sources.map((source) => ({ value: String(source.id), label: source.name })),
      ]}
    />
  );
}
