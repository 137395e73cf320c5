import { useQuery } from "@tanstack/react-query";
import { catalogQueries } from "@/features/catalog/public";
import { isJob } from "@/shared/api/startedJobs";
import { counted } from "@/shared/lib/format";
import { worthText } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import { Select } from "@/shared/ui/Field";
import { conditionOptions } from "@/shared/ui/Lot";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState } from "@/shared/ui/states";
import { useTellAct } from "../acts";
import {
  keyOf,
  lotsText,
  type UnknownWord,
  unknownWordsQuery,
  useNameWord,
  type WordField,
} from "./model";

const titles: Record<WordField, string> = {
  condition: "Conditions that were not understood",
  color: "Colours that were not understood",
};

/** The texts of files in place of a condition or a colour, each named once for all its lots. */
export function UnknownWords({ field }: { field: WordField }) {
  const query = useQuery(unknownWordsQuery(field));
  const naming = useNameWord();
  const tell = useTellAct();
  const words = query.data?.data ?? [];
  const name = (word: UnknownWord, meaning: Parameters<typeof naming.mutate>[0]["meaning"]) =>
    naming.mutate(
      { word, meaning },
      {
        onSuccess: (answer) => {
          if (isJob(answer)) return;
          tell(`${labelOf(word)} is named: ${counted(answer.item_count, "lot")}`, answer.act_id);
        },
      },
    );
  if (query.error) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (words.length === 0) return null;
  return (
    <section className="mb-6">
      <h2 className="mb-2 font-medium">{titles[field]}</h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {words.map((word) => (
          <li key={keyOf(word)} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
            <div className="min-w-0 grow basis-64">
              <p className="wrap-anywhere font-medium">{labelOf(word)}</p>
              <p className="text-muted text-sm">
                {lotsText(word)}, {worthText(word)}
              </p>
            </div>
            {field === "condition" ? (
              <div className="flex gap-2">
                {conditionOptions.map(({ value, label }) => (
                  <Button
                    key={value}
                    size="sm"
                    aria-label={`${labelOf(word)} means ${label.toLowerCase()}`}
                    loading={naming.isPending}
                    onClick={() => name(word, { condition: value })}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            ) : (
              <ColorChoice
                word={word}
                isBusy={naming.isPending}
                onChoose={(color_id) => name(word, { color_id })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ColorChoice(props: {
  word: UnknownWord;
  isBusy: boolean;
  onChoose: (colorId: number) => void;
}) {
  const { word, isBusy, onChoose } = props;
  const colors = useSideQuery(catalogQueries.colors(), "the colours") ?? [];
  return (
    <div className="w-56">
      <Select
        aria-label={`What colour ${labelOf(word)} means`}
        value=""
        disabled={isBusy}
        onChange={({ target }) => target.value && onChoose(Number(target.value))}
        options={[
          { value: "", label: "Choose its colour…" },
          ...colors.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </div>
  );
}

const labelOf = ({ text }: UnknownWord) => (text ? `“${text}”` : "No text");
