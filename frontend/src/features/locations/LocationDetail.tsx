import { useQuery } from "@tanstack/react-query";
import {
  ArrowRightLeft,
  ClipboardCheck,
  History,
  MapPinOff,
  Merge,
  MoreHorizontal,
  PackageOpen,
  Pencil,
  Printer,
  Search,
  Trash2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useCurrency } from "@/features/profile/public";
import { api } from "@/shared/api/client";
import { ApiError } from "@/shared/api/errors";
import type { ParamOf, Schema } from "@/shared/api/wire";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount, formatDate, formatWeight } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { unweighedText } from "@/shared/lib/weight";
import type { Column, ListParams, RowSource } from "@/shared/table/column";
import { DataTable } from "@/shared/table/DataTable";
import { countColumn } from "@/shared/table/fieldColumns";
import { colorColumn, conditionColumn, itemColumn, typeColumn } from "@/shared/table/lotColumns";
import { readTableSettings, writeTableSettings } from "@/shared/table/tableSettings";
import { useTableState } from "@/shared/table/tableState";
import { BackLink } from "@/shared/ui/BackLink";
import { Badge } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { lotConditionNames } from "@/shared/ui/Lot";
import { LotTile } from "@/shared/ui/LotTile";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { priceCell } from "@/shared/ui/Price";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
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

const VIEWS = { tiles: "Pictures", rows: "Rows" };

type LocationDialog = "edit" | "move" | "merge" | "delete" | "labels" | "history";

/** One location: its limits and its contents. */
export function LocationDetail({ id, onGone }: { id: number; onGone: () => void }) {
  const { data: location, error, refetch } = useQuery(locationQueries.detail(id));
  const [opened, setOpened] = useState<LocationDialog | null>(null);
  const table = useTableState("locationContents", { ordering: "item_number" });
  const rows = useMemo(() => contentsOf(id), [id]);
  const [tiles, setTiles] = useState(() => readTableSettings("locationContents").tiles ?? true);
  const currency = useCurrency();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const close = () => setOpened(null);

  return (
    <>
      <BackLink to={paths.locations}>All locations</BackLink>
      {isGone(error) ? (
        <EmptyState icon={MapPinOff} title="This bin is not there any more">
          It was deleted, or merged into another one. Its lots are in the inventory.
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
                {!isPhone && (
                  <>
                    <Button
                      icon={ArrowRightLeft}
                      disabledReason={location.lot_count === 0 && "It is empty"}
                      onClick={() => setOpened("move")}
                    >
                      Move all
                    </Button>
                    <Button icon={Printer} onClick={() => setOpened("labels")}>
                      Label
                    </Button>
                  </>
                )}
                <Menu
                  trigger={<Button icon={MoreHorizontal}>More</Button>}
                  entries={entries(setOpened, isPhone)}
                />
                {!isPhone && (
                  <ButtonLink
                    variant="primary"
                    to={pathTo("inventory", { count: location.id })}
                    icon={ClipboardCheck}
                  >
                    Count
                  </ButtonLink>
                )}
              </>
            }
          />
          <Settled>
            <DataTable
              label={`Contents of ${location.name}`}
              table={table}
              columns={contentColumns}
              currency={currency}
              source={rows}
              tile={tiles ? contentTile : undefined}
              switcher={
                <SegmentedControl
                  label="Show contents as"
                  value={tiles ? "tiles" : "rows"}
                  options={VIEWS}
                  onChange={(view) => {
                    setTiles(view === "tiles");
                    writeTableSettings("locationContents", { tiles: view === "tiles" });
                  }}
                />
              }
              onOpen={(row) => void navigate(pathTo("inventory", { item: row.id }))}
              searchLabel="Search its contents"
              empty={
                <EmptyState icon={PackageOpen} title="This location is empty">
                  Stow a batch into it, or move items here from the inventory.
                </EmptyState>
              }
            />
            <div className="mt-4">
              <Facts location={location} />
            </div>
          </Settled>
          {isPhone && <HandActs location={location} />}
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

/** What is rare, or without room on a phone. */
function entries(open: (dialog: LocationDialog) => void, isPhone: boolean): MenuEntry[] {
  const labels: MenuEntry = {
    id: "labels",
    label: "Print its label",
    icon: Printer,
    run: () => open("labels"),
  };
  return [
    {
      id: "edit",
      needs: "write inventoryLocations/{}",
      label: "Edit",
      icon: Pencil,
      run: () => open("edit"),
    },
    ...(isPhone ? [labels] : []),
    { id: "history", label: "History", icon: History, run: () => open("history") },
    {
      id: "merge",
      needs: "write inventoryLocations/{}/merge",
      label: "Merge into…",
      icon: Merge,
      run: () => open("merge"),
    },
    "separator",
    {
      id: "delete",
      needs: "write inventoryLocations/{}",
      label: "Delete",
      icon: Trash2,
      danger: true,
      run: () => open("delete"),
    },
  ];
}

const WALKS = [
  ["count", "Count", ClipboardCheck],
  ["move", "Move", ArrowRightLeft],
  ["find", "Find", Search],
] as const;

/** What is done at the shelf with the phone in one hand: in reach of the thumb, whatever is seen. */
function HandActs({ location }: { location: Location }) {
  return (
    <nav
      aria-label={`At ${location.name}`}
      data-foot=""
      className="sticky bottom-0 -mx-4 mt-3 grid grid-cols-3 gap-2 border-line border-t bg-canvas px-4 py-2"
    >
      {WALKS.map(([kind, label, Icon]) => (
        <ButtonLink
          key={kind}
          variant={kind === "count" ? "primary" : "secondary"}
          size="lg"
          className="h-16"
          to={pathTo("inventory", { walk: kind, bin: location.id })}
          icon={<Icon aria-hidden="true" className="size-5" />}
        >
          {label}
        </ButtonLink>
      ))}
    </nav>
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

/** The content of a location, read from the API: a feature may not import one above it. */
type ContentRow = Schema<"InventoryItemRow">;

/** Under the inventory's keys, so that both become stale together. */
const contentsOf = (locationId: number): RowSource<ContentRow> => ({
  key: ["inventory", "contents", locationId],
  fetch: (params: ListParams, signal) =>
    api.get("inventoryItems", { query: { location: String(locationId) }, filters: params, signal }),
});

const contentTile = (row: ContentRow) => (
  <LotTile
    row={row}
    to={pathTo("inventory", { item: row.id })}
    about={colorWords(row.color_name) || lotConditionNames[row.condition]}
  />
);

const contentColumns: readonly Column<ContentRow, ParamOf<"inventoryItems">>[] = [
  itemColumn({
    width: 380,
    link: (row) => ({ to: pathTo("inventory", { item: row.id }) }),
  }),
  typeColumn({ width: 100 }),
  colorColumn({ width: 180 }),
  conditionColumn({ width: 100 }),
  countColumn("quantity", "Quantity", { width: 100, sortBy: "quantity" }),
  {
    id: "price",
    header: "Price",
    money: true,
    width: 100,
    align: "end",
    sortBy: "price",
    cell: (row) => priceCell(row.price),
  },
];
