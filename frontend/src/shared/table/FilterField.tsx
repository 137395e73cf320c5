import { useCallback } from "react";
import { Button } from "@/shared/ui/Button";
import { ChoiceField, Field, Input, InputField } from "@/shared/ui/Field";
import { Popover } from "@/shared/ui/Popover";
import type { ColumnFilter } from "./column";
import { readRange, writeRange } from "./filterText";
import type { TableState } from "./tableState";
import { useTypedText } from "./useTypedText";

type Props<Filter> = { header: string; filter: Filter; state: TableState; hideLabel: boolean };
type Kind<Name> = Extract<ColumnFilter, { kind: Name }>;

/** The filter control of one column. */
export function FilterField({ filter, ...rest }: Props<ColumnFilter>) {
  if (filter.kind === "text") return <TextFilter {...rest} filter={filter} />;
  if (filter.kind === "choice") return <ChoiceFilter {...rest} filter={filter} />;
  if (filter.kind === "date") return <DateFilter {...rest} filter={{ ...filter, kind: "date" }} />;
  return <NumberFilter {...rest} filter={{ ...filter, kind: "number" }} />;
}

function TextFilter({ header, filter, state, hideLabel }: Props<Kind<"text">>) {
  const { setFilter } = state;
  const hand = useCallback(
    (text: string) => setFilter(filter.param, text.trim() || null),
    [setFilter, filter.param],
  );
  const [text, setText] = useTypedText(state.filters[filter.param] ?? "", hand);
  return (
    <Field label={`${header} has`} hideLabel={hideLabel} className="w-full">
      <Input
        value={text}
        placeholder="has…"
        onChange={({ target }) => setText(target.value)}
        className="h-7"
      />
    </Field>
  );
}

function ChoiceFilter({ header, filter, state, hideLabel }: Props<Kind<"choice">>) {
  return (
    <ChoiceField
      label={`${header} is`}
      hideLabel={hideLabel}
      className="w-full"
      options={[{ value: "", label: "any" }, ...filter.options]}
      value={state.filters[filter.param] ?? ""}
      onChange={(value) => state.setFilter(filter.param, value || null)}
    />
  );
}

type Ends = { from?: string; to?: string };
const valuesOf = ({ from, to }: Ends, state: TableState) => ({
  from: (from && state.filters[from]) || "",
  to: (to && state.filters[to]) || "",
});

function NumberFilter({ header, filter, state, hideLabel }: Props<Ends & { kind: "number" }>) {
  const { setFilters } = state;
  const { from, to } = filter;
  const hand = useCallback(
    (text: string) => {
      const range = readRange(text);
      if (!range) return;
      setFilters({
        ...(from && { [from]: range.from || null }),
        ...(to && { [to]: range.to || null }),
      });
    },
    [setFilters, from, to],
  );
  const [text, setText] = useTypedText(writeRange(valuesOf(filter, state)), hand);
  const wrong = readRange(text) === null;
  return (
    <Field
      label={`${header} in the range`}
      hideLabel={hideLabel}
      error={wrong && (hideLabel || "Such as 5, 5–10 or >5")}
      className="w-full"
    >
      <Input
        value={text}
        placeholder="5–10, >5"
        title="Such as 5, 5–10 or >5"
        onChange={({ target }) => setText(target.value)}
        className="h-7"
      />
    </Field>
  );
}

function DateFilter({ header, filter, state, hideLabel }: Props<Ends & { kind: "date" }>) {
  const { from, to } = valuesOf(filter, state);
  const ends = [
    [filter.from, "from", from],
    [filter.to, "to", to],
  ] as const;
  const fields = ends.map(
    ([param, word, value]) =>
      param && (
        <InputField
          key={word}
          label={`${header} ${word}`}
          className="w-full"
          type="date"
          value={value}
          onChange={(text) => state.setFilter(param, text || null)}
        />
      ),
  );
  if (!hideLabel) return <div className="flex gap-2">{fields}</div>;
  return (
    <Popover
      label={`${header} between`}
      align="start"
      trigger={
        <Button size="sm" className="w-full justify-start" aria-label={`${header} between`}>
          <span className="truncate">{from || to ? `${from} – ${to}` : "any"}</span>
        </Button>
      }
    >
      <div className="flex flex-col gap-2">{fields}</div>
    </Popover>
  );
}
