import { useQuery } from "@tanstack/react-query";
import {
  ArrowRightLeft,
  ClipboardCheck,
  History,
  MapPinOff,
  Merge,
  PackageOpen,
  Pencil,
  Printer,
  Trash2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { formatCount, formatDate, formatWeight } from "@/shared/lib/format";
import { unweighedText } from "@/shared/lib/weight";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { BackLink } from "@/shared/ui/BackLink";
import { Badge } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { contentColumns, contentsOf } from "./contents";
import { FillBar } from "./FillBar";
import type { Location } from "./model";
import {
  DeleteLocation,
  LabelsDialog,
  LocationCode,
  LocationForm,
  LocationHistory,
  LookAlikes,
  MoveContentsDialog,
} from "./parts";
import { locationQueries } from "./queries";
import { countFill, weightFill } from "./rules";

type Opened = "edit" | "move" | "merge" | "delete" | "labels" | "history";

/** One location: its limits and its contents. */
export function LocationDetail({ id, onGone }: { id: number; onGone: () => void }) {
  const { data: location, error, refetch } = useQuery(locationQueries.detail(id));
  const [opened, setOpened] = useState<Opened | null>(null);
  const table = useTableState("locationContents", { ordering: "item_number" });
  const rows = useMemo(() => contentsOf(id), [id]);
  const close = () => setOpened(null);

  return (
    <>
      <BackLink to="/app/inventory-locations">All locations</BackLink>
      {isGone(error) ? (
        <EmptyState
          icon={<MapPinOff aria-hidden="true" className="size-5" />}
          title="This location is not there any more"
        >
          It was deleted, or merged into another one. What lay in it is in the inventory.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !location ? (
        <Loading />
      ) : (
        <>
          <PageHeader
            title={location.name}
            description={location.description || location.inventory_container_type_name}
            actions={
              <>
                <Button
                  icon={<ArrowRightLeft aria-hidden="true" className="size-4" />}
                  disabledReason={location.lot_count === 0 && "Nothing lies in it"}
                  onClick={() => setOpened("move")}
                >
                  Move all
                </Button>
                <Button
                  icon={<Merge aria-hidden="true" className="size-4" />}
                  onClick={() => setOpened("merge")}
                >
                  Merge into
                </Button>
                <ButtonLink
                  to={`/app/inventory?count=${location.id}`}
                  icon={<ClipboardCheck aria-hidden="true" className="size-4" />}
                >
                  Count
                </ButtonLink>
                <Button
                  icon={<History aria-hidden="true" className="size-4" />}
                  onClick={() => setOpened("history")}
                >
                  History
                </Button>
                <Button
                  icon={<Printer aria-hidden="true" className="size-4" />}
                  onClick={() => setOpened("labels")}
                >
                  Label
                </Button>
                <Button
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                  onClick={() => setOpened("delete")}
                >
                  Delete
                </Button>
                <Button
                  icon={<Pencil aria-hidden="true" className="size-4" />}
                  onClick={() => setOpened("edit")}
                >
                  Edit
                </Button>
              </>
            }
          />
          <Facts location={location} />
          <DataTable
            label={`Contents of ${location.name}`}
            table={table}
            columns={contentColumns}
            source={rows}
            searchLabel="Search its contents"
            empty={
              <EmptyState
                icon={<PackageOpen aria-hidden="true" className="size-5" />}
                title="Nothing lies here"
              >
                Stow a batch into it, or move items here from the inventory.
              </EmptyState>
            }
          />
          {opened === "history" && <LocationHistory location={location} onClose={close} />}
          {opened === "edit" && <LocationForm location={location} onClose={close} />}
          {opened === "labels" && (
            <LabelsDialog choice={{ ids: [location.id], count: 1 }} onClose={close} />
          )}
          {(opened === "move" || opened === "merge") && (
            <MoveContentsDialog
              location={location}
              merge={opened === "merge"}
              onClose={close}
              onMerged={onGone}
            />
          )}
          {opened === "delete" && (
            <DeleteLocation location={location} onClose={close} onDeleted={onGone} />
          )}
        </>
      )}
    </>
  );
}

const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404;

function Facts({ location }: { location: Location }) {
  const over = [
    countFill(location).state === "over" && "pieces",
    weightFill(location).state === "over" && "weight",
  ].filter(Boolean);
  return (
    <div className="mb-4 flex flex-col gap-3">
      {over.length > 0 && (
        <Notice tone="warning" title={`Over its limit of ${over.join(" and ")}`}>
          Nothing more goes in until something is taken out or the limit is raised.
        </Notice>
      )}
      <LookAlikes locationId={location.id} />
      <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-card border border-line bg-surface px-4 py-3 shadow-card">
        <Fact name="Lots">{formatCount(location.lot_count)}</Fact>
        <Fact name="Pieces">
          <FillBar label="Pieces" fill={countFill(location)} format={formatCount} />
        </Fact>
        <Fact name="Weight">
          <FillBar
            label="Weight"
            fill={weightFill(location)}
            format={formatWeight}
            leftOut={unweighedText(location.unknown_weight_count)}
          />
        </Fact>
        <Fact name="Weight of a piece">{rangeWords(location)}</Fact>
        {location.inventory_container_type_name && (
          <Fact name="Container type">{location.inventory_container_type_name}</Fact>
        )}
        <Fact name="Last count">
          {location.lastCountedAt ? formatDate(location.lastCountedAt) : "never"}
        </Fact>
        <Fact name="Label">
          {location.labelPrintedAt ? `printed ${formatDate(location.labelPrintedAt)}` : "none"}
        </Fact>
        <Fact name="Code">
          <LocationCode location={location} />
        </Fact>
        {(location.is_full || location.exclude_from_recommendations) && (
          <Fact name="Marks">
            <span className="flex gap-1.5">
              {location.is_full && <Badge tone="warning">marked full</Badge>}
              {location.exclude_from_recommendations && <Badge>not recommended</Badge>}
            </span>
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="text-sm tabular-nums">{children}</dd>
    </div>
  );
}

function rangeWords({ min_item_weight: min, max_item_weight: max }: Location): string {
  if (min !== null && max !== null) return `${formatWeight(min)} to ${formatWeight(max)}`;
  if (min !== null) return `from ${formatWeight(min)}`;
  return max === null ? "any" : `up to ${formatWeight(max)}`;
}
