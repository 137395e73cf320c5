import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export type Tab = { value: string; label: ReactNode; panel: ReactNode };

/** Tabs with their panels; arrow keys move between them. Only the chosen panel is mounted. */
export function Tabs(props: {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Radix.Root value={props.value} onValueChange={props.onChange}>
      <Radix.List
        aria-label={props.label}
        className="flex gap-1 overflow-x-auto overflow-y-hidden border-line border-b"
      >
        {props.tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex h-9 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 font-medium text-muted text-sm outline-offset-[-2px] hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {props.tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4 outline-offset-4">
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
