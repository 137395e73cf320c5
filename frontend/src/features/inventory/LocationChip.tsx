import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { locationQueries } from "@/features/locations/public";
import { Button } from "@/shared/ui/Button";

/** Tells that only one location is shown, and leads back to all. */
export function LocationChip({ location, onClear }: { location: string; onClear: () => void }) {
  const { data } = useQuery(locationQueries.detail(Number(location)));
  const name = data?.name ?? `location ${location}`;
  return (
    <Button
      size="sm"
      icon={<X aria-hidden="true" className="size-3.5" />}
      onClick={onClear}
      aria-label={`Show all locations, not only ${name}`}
    >
      In {name}
    </Button>
  );
}
