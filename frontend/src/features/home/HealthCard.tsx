import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatAgo } from "@/shared/lib/format";
import { Card } from "@/shared/ui/Card";
import type { Health } from "./model";
import { type Condition, copyCondition, marketplaceCondition } from "./rules";

const icon = "size-4 shrink-0";
const marks: Record<Condition["tone"], ReactNode> = {
  success: <CircleCheck aria-label="well" className={`${icon} text-success`} />,
  warning: <TriangleAlert aria-label="look at it" className={`${icon} text-warning`} />,
  danger: <CircleAlert aria-label="unwell" className={`${icon} text-danger`} />,
  neutral: <CircleDashed aria-label="nothing yet" className={`${icon} text-faint`} />,
};

/** Whether what Brickstow leans on is well. */
export function HealthCard({ health }: { health: Health }) {
  const { marketplace, recognition, last_import: came, last_backup: copy } = health;
  const now = Date.now();
  const lines: (Condition & { name: string; to: string })[] = [
    {
      name: marketplace.marketplace_name,
      ...marketplaceCondition(marketplace),
      to: "/app/settings#integrations",
    },
    {
      name: recognition.is_demo ? `${recognition.provider} (demo)` : recognition.provider,
      tone: recognition.is_reachable ? "success" : "danger",
      text: recognition.is_reachable ? "recognises pictures" : "does not answer",
      to: "/app/stow-inventory",
    },
    {
      name: "Last import",
      tone: came ? "success" : "neutral",
      text: came ? `${came.name}, ${formatAgo(came.at, now)}` : "none yet",
      to: came?.into === "batch" ? "/app/batches" : "/app/inventory",
    },
    {
      name: "Last copy",
      ...copyCondition(copy, now),
      to: "/app/settings#backup",
    },
  ];
  return (
    <Card title="Health" padded={false}>
      <ul className="p-2">
        {lines.map((line) => (
          <li key={line.name}>
            <Link
              to={line.to}
              className="flex items-center gap-3 rounded-control px-2 py-1.5 hover:bg-hover"
            >
              {marks[line.tone]}
              <span className="min-w-0">
                <span className="block font-medium text-sm">{line.name}</span>
                <span className="block break-words text-muted text-xs">{line.text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
