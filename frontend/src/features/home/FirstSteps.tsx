import { Boxes, FileUp, MapPin } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";

const steps: readonly {
  icon: ReactNode;
  title: string;
  text: string;
  to: string;
  label: string;
}[] = [
  {
    icon: <MapPin aria-hidden="true" className="size-5" />,
    title: "Add locations",
    text: "Bins, drawers, boxes: one by one, or a whole shelf by a pattern such as A-[1-8]-[01-24].",
    to: "/app/inventory-locations",
    label: "Add locations",
  },
  {
    icon: <FileUp aria-hidden="true" className="size-5" />,
    title: "Bring your store, if you have one",
    text: "A BSX file of BrickStore. You see what is created and changed before anything happens, and can undo it.",
    to: "/app/inventory",
    label: "Import BSX",
  },
  {
    icon: <Boxes aria-hidden="true" className="size-5" />,
    title: "Start a batch",
    text: "A batch is one purchase or one evening of sorting. Add parts by number or name and stow them.",
    to: "/app/batches",
    label: "New batch",
  },
];

/** What a new account sees instead of figures that would all be zero. */
export function FirstSteps() {
  return (
    <ol className="grid gap-4 lg:grid-cols-3">
      {steps.map((step, index) => (
        <li key={step.to}>
          <Card className="h-full">
            <div className="flex h-full flex-col items-start gap-2">
              <span className="flex size-10 items-center justify-center rounded-control bg-accent-tint text-accent-ink">
                {step.icon}
              </span>
              <h2 className="font-semibold">
                {index + 1}. {step.title}
              </h2>
              <p className="pb-2 text-muted">{step.text}</p>
              <ButtonLink
                to={step.to}
                variant={index === 0 ? "primary" : "secondary"}
                className="mt-auto"
              >
                {step.label}
              </ButtonLink>
            </div>
          </Card>
        </li>
      ))}
    </ol>
  );
}
