import { BookOpen } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { EmptyState } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import { recentItems } from "./recentItems";

/** Before an item is open: where one was last, or what to type. */
export function CatalogStart({ onSearch }: { onSearch: (text: string) => void }) {
  const [recent] = useState(recentItems);
  if (recent.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={BookOpen}
          title="Show a part to the camera, drop a picture, or type a number"
          actions={
            <>
              <Button onClick={() => onSearch("3001")}>3001</Button>
              <Button onClick={() => onSearch("plate 1 x 2")}>plate 1 x 2</Button>
            </>
          }
        >
          The colours of the item appear here, with what you own and what they are worth.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Looked at last">
      <ul className="-mx-2 flex flex-col">
        {recent.map(({ type, number, name }) => (
          <li key={`${type}:${number}`}>
            <Link
              to={`?item=${encodeURIComponent(`${type}:${number}`)}`}
              className="flex items-center gap-3 rounded-control px-2 py-2 hover:bg-hover"
            >
              <span className="w-28 shrink-0 truncate font-semibold tabular-nums">{number}</span>
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <TypeTag type={type} short />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
