import { Trash2 } from "lucide-react";
import { useState } from "react";
import { clearSettings, listSettings, removeSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { reloadClientState } from "@/shared/store/clientStore";
import { IconButton } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";

/** The name of a stored choice as words: "Table: inventory" for `table_inventory`. */
const wordsOf = (name: string): string => {
  const words = name
    .replace(PERSONAL, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/^table_/, "table: ")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
/** What this browser keeps: every stored setting, to look at and to remove. */
export function LocalData() {
  const [names, setNames] = useState(listSettings);
  const refresh = () => {
    reloadClientState();
    setNames(listSettings());
  };
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <p className="text-muted text-xs">
        What you chose on this device. Removing a choice sets it back to its default. Your account
        and your stock are not touched.
      </p>
      {names.length === 0 ? (
        <p>Nothing is stored: all options of this device are at their defaults.</p>
      ) : (
        <ul className="divide-y divide-line rounded-control border border-line">
          {names.toSorted().map((name) => (
            <li key={name} className="flex items-center gap-3 px-3 py-1.5">
              <span className="min-w-0 flex-1 truncate">{wordsOf(name)}</span>
              <IconButton
                size="sm"
                label={`Remove ${wordsOf(name)}`}
                icon={<Trash2 aria-hidden="true" className="size-3.5" />}
                onClick={() => {
                  removeSetting(name);
                  refresh();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <DestructiveButton
          action={{
            label: "Clear local data",
            done: "Local data cleared",
            confirm:
              "All options of this device go back to their defaults: table columns, page sizes, filters and switches.",
            run: async () => {
              clearSettings();
              refresh();
            },
          }}
          disabledReason={names.length === 0 && "Nothing is stored"}
        />
      </div>
    </div>
  );
}
