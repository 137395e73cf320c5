import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatAgo } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import type { Health } from "./model";
import { type Condition, marketplaceCondition } from "./rules";

const icon = "size-4 shrink-0";
const marks: Record<Condition["tone"], ReactNode> = {
  success: <CircleCheck aria-label="well" className={`${icon} text-success`} />,
  warning: <TriangleAlert aria-label="look at it" className={`${icon} text-warning`} />,
  danger: <CircleAlert aria-label="unwell" className={`${icon} text-danger`} />,
  neutral: <CircleDashed aria-label="nothing yet" className={`${icon} text-faint`} />,
};

/** Whether what Brickstow leans on is well, at the foot of the page. */
export function HealthLine({ health }: { health: Health }) {
  const { marketplace, recognition, last_import: came, last_backup: copy } = health;
  const now = Date.now();
  const lines: (Condition & { name: string; to: string })[] = [
    {
      name: marketplace.marketplace_name,
      ...marketplaceCondition(marketplace),
      to: pathTo("settings", {}, "integrations"),
    },
    {
      name: recognition.is_demo ? `${recognition.provider} (demo)` : recognition.provider,
      tone: recognition.is_reachable ? "success" : "danger",
      text: recognition.is_reachable ? "recognises pictures" : "does not answer",
      to: paths.stow,
    },
  ];
  if (came) {
    lines.push({
      name: "Last import",
      tone: "success",
      text: `${came.name}, ${formatAgo(came.at, now)}`,
      to: came.into === "batch" ? paths.batches : pathTo("inventory", { acts: 1 }),
    });
  }
  if (copy) {
    lines.push({
      name: copy.of === "everything" ? "Last backup" : "Last export of the inventory",
      tone: "success",
      text: formatAgo(copy.at, now),
      to: pathTo("settings", {}, "backup"),
    });
  }
  return (
    <ul aria-label="Health" className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {lines.map((line) => (
        <li key={line.name} className="min-w-0">
          <Link to={line.to} className="group flex items-center gap-2">
            {marks[line.tone]}
            <span className="wrap-anywhere min-w-0">
              <span className="font-medium group-hover:underline">{line.name}</span>{" "}
              <span className="text-muted">{line.text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
