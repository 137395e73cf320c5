import { useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CheckField, SelectBox } from "@/shared/ui/Checkbox";
import { InputField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";
import type { BinGroup } from "./model";
import { doubtText, groupTitle, isBin, isStar } from "./rules";

/** Names drawn of a group that is opened; a store's bins can be thousands. */
const SHOWN = 500;

/** The names in Remarks by pattern: ticked ones become bins, the others stay remarks. */
export function BinGroups(props: {
  groups: readonly BinGroup[];
  said: Readonly<Record<string, boolean>>;
  onSay: (said: Record<string, boolean>) => void;
  patterns: readonly string[];
  /** Null while it cannot be changed. */
  onPatterns: ((patterns: string[]) => void) | null;
}) {
  const { groups, said, onSay, patterns, onPatterns } = props;
  const [opened, setOpened] = useState<number | null>(null);
  const sentences = groups.find((group) => group.doubt === "sentence");
  const say = (group: BinGroup, names: readonly string[], bin: boolean) => {
    const next = { ...said };
    for (const name of names) {
      if (bin === (group.doubt === "")) delete next[name];
      else next[name] = bin;
    }
    onSay(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {groups.map((group, at) => {
          const names = group.names.map(({ name }) => name);
          const bins = names.filter((name) => isBin(group, name, said)).length;
          const title = groupTitle(group);
          const many = names.length > 1;
          return (
            <li key={`${group.doubt} ${names[0]}`} className="px-3 py-2.5">
              <div className="flex items-start gap-3">
                <SelectBox
                  label={`${title}: bins`}
                  className="mt-0.5"
                  checked={bins === names.length}
                  indeterminate={bins > 0 && bins < names.length}
                  onChange={(event) => say(group, names, event.target.checked)}
                />
                <div className="min-w-0 grow">
                  <p className="wrap-anywhere line-clamp-2 font-medium">{title}</p>
                  <p className="text-muted text-xs">{doubtText(group)}</p>
                </div>
                <p className="shrink-0 text-right text-sm tabular-nums">
                  {bins > 0 ? counted(bins, "bin") : counted(names.length, "name")}
                  <span className="block text-muted text-xs">
                    {counted(group.lots, "lot")}, {counted(group.pieces, "piece")}
                  </span>
                </p>
                {many && (
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-expanded={opened === at}
                    onClick={() => setOpened(opened === at ? null : at)}
                  >
                    {opened === at ? "Close" : "Show each"}
                  </Button>
                )}
              </div>
              {many && opened === at && (
                <ul className="mt-2 grid max-h-64 grid-cols-2 gap-x-4 gap-y-1 overflow-y-auto rounded-control bg-sunken p-2 sm:grid-cols-3">
                  {group.names.slice(0, SHOWN).map(({ name, lots }) => (
                    <li key={name}>
                      <CheckField
                        value={isBin(group, name, said)}
                        onChange={(checked) => say(group, [name], checked)}
                        label={
                          <span className="wrap-anywhere text-sm">
                            {name} <span className="text-muted">{formatCount(lots)}</span>
                          </span>
                        }
                      />
                    </li>
                  ))}
                  {names.length > SHOWN && (
                    <li className="text-muted text-xs">
                      and {formatCount(names.length - SHOWN)} more
                    </li>
                  )}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
      <p className="text-muted text-xs">Unticked names stay as remarks.</p>
      {(sentences || patterns.length > 0) && (
        <PatternForm
          key={patterns.join(" ")}
          patterns={patterns}
          suggested={sentences?.pattern ?? ""}
          onPatterns={onPatterns}
        />
      )}
    </div>
  );
}

/** Where sentences in Remarks name the bin; kept for later files. */
function PatternForm(props: {
  patterns: readonly string[];
  suggested: string;
  onPatterns: ((patterns: string[]) => void) | null;
}) {
  const { patterns, suggested, onPatterns } = props;
  const text = useControl(patterns[0] ?? suggested);
  const trimmed = text.value.trim();
  const isSame = trimmed === (patterns[0] ?? "");
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (onPatterns && !isSame && isStar(trimmed)) onPatterns(trimmed ? [trimmed] : []);
      }}
    >
      <InputField
        label="Where such Remarks name the bin"
        hint="A star marks the bin: “in *” reads “in box 3” as box 3. It applies to later files, too."
        className="grow basis-56"
        {...text}
        placeholder="in *"
        maxLength={100}
      />
      <Button
        type="submit"
        disabledReason={
          (!onPatterns && "It is being read") ||
          (isSame && "This is how it was read") ||
          (!isStar(trimmed) && "It needs one star in place of the bin")
        }
      >
        Read them so
      </Button>
    </form>
  );
}
