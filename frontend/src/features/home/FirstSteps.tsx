import { X } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { pathTo } from "@/shared/lib/paths";
import { PERSONAL } from "@/shared/lib/person";
import { ButtonLink, IconButton } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import type { FirstStepsDone } from "./model";

type Step = {
  name: string;
  title: string;
  text: string;
  acts: readonly { label: string; to: string }[];
  isDone: boolean;
};

const stepsOf = (done: FirstStepsDone): Step[] => [
  {
    name: "locations",
    title: "Add locations",
    text: "Bins, drawers, boxes: one by one, or a whole shelf by a pattern such as A-[1-8]-[01-24]. Sorting adds its own.",
    acts: [{ label: "Add locations", to: pathTo("locations", { pattern: 1 }) }],
    isDone: done.locations,
  },
  {
    name: "stock",
    title: "Bring your store, or start a batch",
    text: "A BSX file of BrickStore, shown before anything happens; or one purchase to sort.",
    acts: [
      { label: "Import BSX", to: pathTo("inventory", { import: 1 }) },
      { label: "New batch", to: pathTo("batches", { new: 1 }) },
    ],
    isDone: done.stock,
  },
  {
    name: "marketplace",
    title: "Connect your BrickLink store",
    text: "For prices of what you hold. Nothing is changed there without you.",
    acts: [{ label: "Connect", to: pathTo("settings", { connect: 1 }, "integrations") }],
    isDone: done.marketplace,
  },
];

/** What a person put away of it, by name. */
const PUT_AWAY = `${PERSONAL}firstStepsPutAway`;
const names = z.catch(z.array(z.string()), []);

/** The first steps: each stays until it is done or hidden. Nothing once none is left. */
export function Checklist({ done }: { done: FirstStepsDone }) {
  const [putAway, setPutAway] = useState(() => names.parse(getSetting(PUT_AWAY)));
  const steps = stepsOf(done).filter(({ name, isDone }) => !putAway.includes(name) && !isDone);
  if (steps.length === 0) return null;
  const put = (name: string) => {
    const all = [...putAway, name];
    setSetting(PUT_AWAY, all);
    setPutAway(all);
  };
  return (
    <Card title="First steps" padded={false}>
      <ul className="divide-y divide-line px-4">
        {steps.map((step) => (
          <li key={step.name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-40 flex-1">
              <h3 className="font-medium text-sm">{step.title}</h3>
              <p className="text-muted text-xs">{step.text}</p>
            </div>
            <div className="ml-auto flex items-center gap-2">
              {step.acts.map(({ label, to }) => (
                <ButtonLink key={to} to={to} size="sm">
                  {label}
                </ButtonLink>
              ))}
              <IconButton
                size="sm"
                label={`Hide: ${step.title}`}
                icon={X}
                onClick={() => put(step.name)}
              />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
