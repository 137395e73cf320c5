import { useQueryClient } from "@tanstack/react-query";
import {
  ArrowRightLeft,
  Box,
  ClipboardCheck,
  Copy,
  Grid3x3,
  MapPin,
  Merge,
  Pencil,
  Plus,
  Printer,
  Trash2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { idParam } from "@/shared/lib/idParam";
import { isNamed } from "@/shared/lib/names";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { DataTable } from "@/shared/table/DataTable";
import { type TableState, useTableState } from "@/shared/table/tableState";
import type { Selection } from "@/shared/table/useSelection";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import { columnsOf } from "./columns";
import type { LabelChoice } from "./labels";
import { ManyActs } from "./ManyActs";
import type { ContainerType, Location } from "./model";
import { useEditLocation, useMergeLocation } from "./mutations";
import {
  CaseTwins,
  ContainerTypesDialog,
  DeleteLocation,
  LabelsDialog,
  LocationCharts,
  LocationForm,
  MoveContentsDialog,
  PatternDialog,
  SetManyDialog,
  ShelfMap,
} from "./parts";
import { containerTypeQueries, fetchLocations, locationQueries } from "./queries";
import { STARTERS } from "./rules";
import { saveLabelsAtOnce } from "./saveLabels";

const LocationDetail = lazyPart(() => import("./LocationDetail").then((m) => m.LocationDetail));

/** All locations, or one of them at `?location=7`. */
export function LocationsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = idParam(params, "location");
  return (
    <Page wide>
      {id === null ? (
        <LocationList />
      ) : (
        <LocationDetail key={id} id={id} onGone={() => navigate("/app/inventory-locations")} />
      )}
    </Page>
  );
}

type Opened =
  | { dialog: "new" | "types" }
  | { dialog: "pattern"; pattern?: string }
  | { dialog: "labels" | "set"; choice: LabelChoice }
  | { dialog: "edit" | "duplicate" | "move" | "merge" | "delete"; location: Location };

const rows = { key: locationQueries.lists(), fetch: fetchLocations };
const noTypes: readonly ContainerType[] = [];
const views = { table: "Table", map: "Shelf map", charts: "Charts" };

function LocationList() {
  const [address, setAddress] = useSearchParams();
  const asked = address.get("view");
  const view = isNamed(views, asked) ? asked : "table";
  const [opened, setOpened] = useState<Opened | null>(null);
  const { mutate } = useEditLocation({ tellsFailure: true });
  const { mutateAsync } = useEditLocation();
  const merge = useMergeLocation();
  const twins = useSideQuery(locationQueries.twins(), "names that differ only in capitals");
  const types = useSideQuery(containerTypeQueries.list(), "your container types") ?? noTypes;
  const columns = useMemo(
    () =>
      columnsOf(types, (location, excluded) =>
        mutate({ row: location, changes: { exclude_from_recommendations: excluded } }),
      ),
    [types, mutate],
  );
  const table = useTableState("locations", { columns, ordering: "name" });
  const navigate = useNavigate();
  const client = useQueryClient();
  const close = () => setOpened(null);
  useAskedFor("pattern", () => setOpened({ dialog: "pattern" }));
  useAskedFor("labels", (count) => {
    if (!/^[1-9]\d*$/.test(count)) return;
    const choice = { ids: null, count: Number(count), params: filtersOf(table) };
    setOpened({ dialog: "labels", choice });
  });
  useAskedFor("label", (id) => {
    if (!/^[1-9]\d*$/.test(id)) return;
    const choice = { ids: [Number(id)], count: 1 };
    void saveLabelsAtOnce(client, choice, () => setOpened({ dialog: "labels", choice }));
  });
  const show = (next: string) =>
    setAddress((now) => {
      if (next === "table") now.delete("view");
      else now.set("view", next);
      return now;
    });

  const actionsOf = (location: Location): MenuEntry[] => [
    {
      id: "open",
      label: "Show its contents",
      icon: MapPin,
      run: () => void navigate(`?location=${location.id}`),
    },
    {
      id: "edit",
      label: "Edit",
      icon: Pencil,
      run: () => setOpened({ dialog: "edit", location }),
    },
    {
      id: "duplicate",
      label: "Duplicate",
      icon: Copy,
      run: () => setOpened({ dialog: "duplicate", location }),
    },
    {
      id: "labels",
      label: "Print its label",
      icon: Printer,
      run: () => setOpened({ dialog: "labels", choice: { ids: [location.id], count: 1 } }),
    },
    {
      id: "count",
      label: "Count it…",
      icon: ClipboardCheck,
      run: () => void navigate(`/app/inventory?count=${location.id}`),
    },
    {
      id: "move",
      label: "Move everything…",
      icon: ArrowRightLeft,
      disabledReason: location.lot_count === 0 && "It is empty",
      run: () => setOpened({ dialog: "move", location }),
    },
    {
      id: "merge",
      label: "Merge into…",
      icon: Merge,
      run: () => setOpened({ dialog: "merge", location }),
    },
    "separator",
    {
      id: "exclude",
      label: "Exclude from recommendations",
      checked: location.exclude_from_recommendations,
      onChange: (checked) =>
        mutate({ row: location, changes: { exclude_from_recommendations: checked } }),
    },
    {
      id: "full",
      label: "Marked full",
      checked: location.is_full,
      onChange: (checked) => mutate({ row: location, changes: { is_full: checked } }),
    },
    "separator",
    {
      id: "delete",
      label: "Delete",
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      danger: true,
      run: () => setOpened({ dialog: "delete", location }),
    },
  ];

  return (
    <>
      <PageHeader
        title="Inventory locations"
        description="Drawers, boxes and shelves, and how much each of them takes."
        actions={
          <>
            <ScanButton iconOnly />
            <Button icon={Box} onClick={() => setOpened({ dialog: "types" })}>
              Container types
            </Button>
            <Button
              icon={<Grid3x3 aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ dialog: "pattern" })}
            >
              Add by pattern
            </Button>
            <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: "new" })}>
              New location
            </Button>
          </>
        }
      />
      {twins && twins.length > 0 && (
        <CaseTwins
          groups={twins}
          effect={(_, into) => `Its content moves to ${into.name}.`}
          merge={(from, into) =>
            merge
              .mutateAsync({ id: from.id, into: into.id })
              .then(() => toast.success(`${from.name} merged into ${into.name}`), tellFailure)
          }
        />
      )}
      <div className="mb-3">
        <SegmentedControl label="View" value={view} options={views} onChange={show} />
      </div>
      {view === "map" ? (
        <ShelfMap
          params={filtersOf(table)}
          onMany={(dialog, choice) => setOpened({ dialog, choice })}
        />
      ) : view === "charts" ? (
        <LocationCharts params={filtersOf(table)} />
      ) : (
        <DataTable
          label="Inventory locations"
          table={table}
          columns={columns}
          source={rows}
          searchLabel="Search locations"
          rowActions={actionsOf}
          rowName={(location) => location.name}
          onOpen={(location) => void navigate(`?location=${location.id}`)}
          onEdit={(row, changes, call) => mutateAsync({ row, changes, call })}
          offerAllMatching
          bulk={(selection) => (
            <ManyActs onDo={(dialog) => setOpened({ dialog, choice: choiceOf(selection) })} />
          )}
          empty={<NoLocations onStart={(pattern) => setOpened({ dialog: "pattern", pattern })} />}
        />
      )}
      {opened?.dialog === "new" && <LocationForm onClose={close} />}
      {opened?.dialog === "types" && <ContainerTypesDialog onClose={close} />}
      {opened?.dialog === "pattern" && (
        <PatternDialog
          pattern={opened.pattern}
          onClose={close}
          onPaper={(choice) => setOpened({ dialog: "labels", choice })}
        />
      )}
      {opened?.dialog === "edit" && <LocationForm location={opened.location} onClose={close} />}
      {opened?.dialog === "duplicate" && <LocationForm like={opened.location} onClose={close} />}
      {opened?.dialog === "set" && <SetManyDialog choice={opened.choice} onClose={close} />}
      {opened?.dialog === "labels" && <LabelsDialog choice={opened.choice} onClose={close} />}
      {(opened?.dialog === "move" || opened?.dialog === "merge") && (
        <MoveContentsDialog
          location={opened.location}
          merge={opened.dialog === "merge"}
          onClose={close}
        />
      )}
      {opened?.dialog === "delete" && <DeleteLocation location={opened.location} onClose={close} />}
    </>
  );
}

/** What narrows the list, without its page and order. */
function filtersOf(table: TableState) {
  const { page: _page, page_size: _size, ordering: _ordering, ...filters } = table.params;
  return filters;
}

function choiceOf(selection: Selection<Location>): LabelChoice {
  const { ids, count, allMatching, params } = selection;
  return allMatching ? { ids: null, count, params } : { ids: ids.map(Number), count };
}

function NoLocations({ onStart }: { onStart: (pattern: string) => void }) {
  return (
    <EmptyState
      icon={<Grid3x3 aria-hidden="true" className="size-5" />}
      title="Start with a cabinet"
      actions={STARTERS.map(({ label, pattern }) => (
        <Button key={pattern} icon={Plus} onClick={() => onStart(pattern)}>
          {label}
        </Button>
      ))}
    >
      A location is a drawer, a box or a place on a shelf, with a name that you can read from a
      distance. Make many at once from a pattern; you see the names before they are made.
    </EmptyState>
  );
}
