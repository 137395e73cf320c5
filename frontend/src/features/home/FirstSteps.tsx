import { CircleCheck } from "lucide-react";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import type { FirstStepsDone } from "./model";

type Step = { title: string; text: string; to: string; label: string; isDone: boolean };

const stepsOf = (done: FirstStepsDone): Step[] => [
  {
    title: "Add locations",
    text: "Bins, drawers, boxes: one by one, or a whole shelf by a pattern such as A-[1-8]-[01-24].",
    to: "/app/inventory-locations?pattern=1",
    label: "Add locations",
    isDone: done.locations,
  },
  {
    title: "Print their labels",
    text: "Choose locations in their list and print a sheet or a roll. The station reads the codes.",
    to: "/app/inventory-locations",
    label: "Print labels",
    isDone: false,
  },
  {
    title: "Bring your store, or start a batch",
    text: "A BSX file of BrickStore, shown before anything happens; or one purchase to sort.",
    to: "/app/inventory?import=1",
    label: "Import a file",
    isDone: done.stock,
  },
  {
    title: "Connect your BrickLink store",
    text: "For prices of what you hold. Nothing is changed there without you.",
    to: "/app/settings#integrations",
    label: "Connect",
    isDone: done.marketplace,
  },
];

/** What a new account sees instead of figures that would all be zero. */
export function FirstSteps({ done }: { done: FirstStepsDone }) {
  return (
    <div className="flex flex-col gap-4">
      <section className="flex flex-col items-center gap-6 rounded-card border border-line bg-surface px-6 py-8 shadow-card sm:flex-row sm:gap-10 sm:px-10">
        <Picture />
        <div className="flex flex-col items-start gap-4">
          <div>
            <h2 className="font-semibold text-lg tracking-tight">From the heap to the bin</h2>
            <p className="mt-1 max-w-prose text-muted">
              Pour a lot on the table, name a piece, press Enter: it is in the batch, and the bin it
              belongs in is on the screen.
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/app/batches?new=1" variant="primary">
              New batch
            </ButtonLink>
            <ButtonLink to="/app/inventory-locations?pattern=1">Add locations</ButtonLink>
            <ButtonLink to="/app/inventory?import=1">Import BSX</ButtonLink>
          </div>
        </div>
      </section>
      <Checklist done={done} />
    </div>
  );
}

/** The first steps, and which of them are done. */
export function Checklist({ done }: { done: FirstStepsDone }) {
  return (
    <Card title="First steps" padded={false}>
      <ol className="divide-y divide-line px-4">
        {stepsOf(done).map((step, place) => (
          <li key={step.title} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <span
              className={
                step.isDone
                  ? "flex size-8 shrink-0 items-center justify-center rounded-full bg-success-tint text-success"
                  : "flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-tint font-semibold text-accent-ink text-sm"
              }
            >
              {step.isDone ? <CircleCheck aria-label="done" className="size-5" /> : place + 1}
            </span>
            <div className="min-w-40 flex-1">
              <h3 className="font-medium text-sm">{step.title}</h3>
              <p className="text-muted text-xs">{step.text}</p>
            </div>
            {!step.isDone && (
              <ButtonLink to={step.to} size="sm">
                {step.label}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Bricks on their way into a drawer. */
function Picture() {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 140" className="h-auto w-48 shrink-0">
      <g strokeWidth="2" strokeLinejoin="round" stroke="var(--edge)">
        <path d="M20 78h160v50H20z" fill="var(--sunken)" />
        <path d="M20 78l14-18h132l14 18z" fill="var(--surface)" />
        <path d="M86 98h28v10H86z" fill="var(--surface)" />
        <g fill="var(--accent)">
          <path d="M52 42h44v22H52z" />
          <path d="M58 42v-6h10v6M80 42v-6h10v6" />
        </g>
        <g fill="var(--type-set)">
          <path d="M104 46h30v18h-30z" />
          <path d="M108 46v-5h8v5M122 46v-5h8v5" />
        </g>
        <g fill="var(--warning)">
          <path d="M78 10h30v16H78z" />
          <path d="M82 10V5h8v5M96 10V5h8v5" />
        </g>
      </g>
    </svg>
  );
}
