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
import { useCallback, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { isNamed } from "@/shared/lib/names";
import { paths, pathTo } from "@/shared/lib/paths";
import { useAddress } from "@/shared/lib/useAddress";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { filtersOf } from "@/shared/table/column";
import { DataTable } from "@/shared/table/DataTable";
import { type TableState, useTableState } from "@/shared/table/tableState";
import type { Selection } from "@/shared/table/useSelection";
import { Button } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { HeadActs } from "@/shared/ui/HeadActs";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState } from "@/shared/ui/states";
import { columnsOf } from "./columns";
import type { LabelChoice } from "./labels";
import { ManyActs } from "./ManyActs";
import type { ContainerType, Location } from "./model";
import { saveLocationOf, useEditLocation, useMergeLocation } from "./mutations";
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
  const navigate = useNavigate();
  const one = (id: number) => (
    <LocationDetail key={id} id={id} onGone={() => navigate(paths.locations)} />
  );
  return (
    <ListPage one={{ location: one }}>
      <LocationList />
    </ListPage>
  );
}

type ListDialog =
  | { dialog: "new" | "types" }
  | { dialog: "pattern"; pattern?: string }
  | { dialog: "labels" | "set"; choice: LabelChoice }
  | { dialog: "edit" | "duplicate" | "move" | "merge" | "delete"; location: Location };
type Open = (opened: ListDialog) => void;

const rows = { key: locationQueries.lists(), fetch: fetchLocations };
const noTypes: readonly ContainerType[] = [];
const views = { map: "Shelf map", table: "Table", charts: "Charts" };

function LocationList() {
  const [address, change] = useAddress();
  const asked = address.get("view");
  const [opened, setOpened] = useState<ListDialog | null>(null);
  const { mutate } = useEditLocation({ tellsFailure: true });
  const merge = useMergeLocation();
  const twins = useSideQuery(locationQueries.twins(), "names that differ only in capitals");
  const types = useSideQuery(containerTypeQueries.list(), "your container types") ?? noTypes;
  const set = useCallback(
    (row: Location, changes: Partial<Location>) => mutate({ row, changes }),
    [mutate],
  );
  const columns = useMemo(() => columnsOf(types, set), [types, set]);
  const table = useTableState("locations", { columns, ordering: "name" });
  // What is narrowed is told by the table alone.
  const view = isNamed(views, asked) ? asked : table.isNarrowed ? "table" : "map";
  const switcher = (
    <SegmentedControl
      label="View"
      value={view}
      options={views}
      onChange={(next) => change({ view: next })}
    />
  );
  const noLocations = (
    <NoLocations onStart={(pattern) => setOpened({ dialog: "pattern", pattern })} />
  );
  const navigate = useNavigate();
  useAskedDialogs(table, setOpened);
  const openIt = (location: Location) => void navigate(`?location=${location.id}`);
  const count = ({ id }: Location) => void navigate(pathTo("inventory", { count: id }));

  return (
    <>
      <PageHeader
        title="Inventory locations"
        actions={
          <>
            <ScanButton iconOnly />
            <HeadActs
              acts={[
                {
                  id: "types",
                  label: "Container types",
                  icon: Box,
                  needs: "write inventoryContainerTypes",
                  run: () => setOpened({ dialog: "types" }),
                },
                {
                  id: "pattern",
                  label: "Add by pattern",
                  icon: Grid3x3,
                  needs: "write inventoryLocations/pattern",
                  run: () => setOpened({ dialog: "pattern" }),
                },
              ]}
            />
            <Button
              needs="write inventoryLocations"
              variant="primary"
              icon={Plus}
              onClick={() => setOpened({ dialog: "new" })}
            >
              New location
            </Button>
          </>
        }
      />
      {twins && twins.length > 0 && (
        <CaseTwins
          groups={twins}
          effect={(_, into) => `Its content moves to ${into.name}.`}
          merge={merge}
        />
      )}
      {view === "map" ? (
        <ShelfMap
          params={filtersOf(table.params)}
          switcher={switcher}
          empty={noLocations}
          onMany={(dialog, choice) => setOpened({ dialog, choice })}
        />
      ) : view === "charts" ? (
        <>
          <div className="mb-3 flex justify-end">{switcher}</div>
          <LocationCharts params={filtersOf(table.params)} />
        </>
      ) : (
        <DataTable
          label="Inventory locations"
          table={table}
          columns={columns}
          source={rows}
          searchLabel="Search locations"
          rowActions={(location) =>
            locationEntries(location, { open: openIt, count, set, ask: setOpened })
          }
          rowName={(location) => location.name}
          onOpen={openIt}
          needs="write inventoryLocations/{}"
          onEdit={saveLocationOf}
          offerAllMatching
          bulk={(selection) => (
            <ManyActs onDo={(dialog) => setOpened({ dialog, choice: choiceOf(selection) })} />
          )}
          switcher={switcher}
          empty={noLocations}
        />
      )}
      <Dialogs opened={opened} onOpen={setOpened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Dialogs that other pages ask for in the address. */
function useAskedDialogs(table: TableState, open: Open) {
  const client = useQueryClient();
  useAskedFor("pattern", () => open({ dialog: "pattern" }));
  useAskedFor("labels", (count) => {
    if (!/^[1-9]\d*$/.test(count)) return;
    const choice = { ids: null, count: Number(count), params: filtersOf(table.params) };
    open({ dialog: "labels", choice });
  });
  useAskedFor("label", (id) => {
    if (!/^[1-9]\d*$/.test(id)) return;
    const choice = { ids: [Number(id)], count: 1 };
    void saveLabelsAtOnce(client, choice, () => open({ dialog: "labels", choice }));
  });
}

/** What can be done with a location of the list. */
function locationEntries(
  location: Location,
  run: Record<"open" | "count", (location: Location) => void> & {
    set: (location: Location, changes: Partial<Location>) => void;
    ask: Open;
  },
): MenuEntry[] {
  const ask = (dialog: "edit" | "duplicate" | "move" | "merge" | "delete") => () =>
    run.ask({ dialog, location });
  return [
    { id: "open", label: "Show its contents", icon: MapPin, run: () => run.open(location) },
    {
      id: "edit",
      needs: "write inventoryLocations/{}",
      label: "Edit",
      icon: Pencil,
      run: ask("edit"),
    },
    {
      id: "duplicate",
      needs: "write inventoryLocations",
      label: "Duplicate",
      icon: Copy,
      run: ask("duplicate"),
    },
    {
      id: "labels",
      label: "Print its label",
      icon: Printer,
      run: () => run.ask({ dialog: "labels", choice: { ids: [location.id], count: 1 } }),
    },
    {
      id: "count",
      needs: "write stocktakes",
      label: "Count it…",
      icon: ClipboardCheck,
      run: () => run.count(location),
    },
    {
      id: "move",
      label: "Move everything…",
      icon: ArrowRightLeft,
      disabledReason: location.lot_count === 0 && "It is empty",
      run: ask("move"),
    },
    {
      id: "merge",
      needs: "write inventoryLocations/{}/merge",
      label: "Merge into…",
      icon: Merge,
      run: ask("merge"),
    },
    "separator",
    {
      id: "exclude",
      label: "Exclude from recommendations",
      checked: location.exclude_from_recommendations,
      onChange: (checked) => run.set(location, { exclude_from_recommendations: checked }),
    },
    {
      id: "full",
      label: "Marked full",
      checked: location.is_full,
      onChange: (checked) => run.set(location, { is_full: checked }),
    },
    "separator",
    {
      id: "delete",
      needs: "write inventoryLocations/{}",
      label: "Delete",
      icon: Trash2,
      danger: true,
      run: ask("delete"),
    },
  ];
}

function Dialogs(props: { opened: ListDialog | null; onOpen: Open; onClose: () => void }) {
  const { opened, onOpen, onClose } = props;
  switch (opened?.dialog) {
    case "new":
      return <LocationForm onClose={onClose} />;
    case "types":
      return <ContainerTypesDialog onClose={onClose} />;
    case "pattern":
      return (
        <PatternDialog
          pattern={opened.pattern}
          onClose={onClose}
          onPaper={(choice) => onOpen({ dialog: "labels", choice })}
        />
      );
    case "edit":
      return <LocationForm location={opened.location} onClose={onClose} />;
    case "duplicate":
      return <LocationForm like={opened.location} onClose={onClose} />;
    case "set":
      return <SetManyDialog choice={opened.choice} onClose={onClose} />;
    case "labels":
      return <LabelsDialog choice={opened.choice} onClose={onClose} />;
    case "move":
    case "merge":
      return (
        <MoveContentsDialog
          location={opened.location}
          merge={opened.dialog === "merge"}
          onClose={onClose}
        />
      );
    case "delete":
      return <DeleteLocation location={opened.location} onClose={onClose} />;
    default:
      return null;
  }
}

function choiceOf(selection: Selection<Location>): LabelChoice {
  const { ids, count, allMatching, params } = selection;
  return allMatching ? { ids: null, count, params } : { ids: ids.map(Number), count };
}

function NoLocations({ onStart }: { onStart: (pattern: string) => void }) {
  return (
    <EmptyState
      icon={Grid3x3}
      title="Start with a cabinet"
      actions={STARTERS.map(({ label, pattern }) => (
        <Button key={pattern} icon={Plus} onClick={() => onStart(pattern)}>
          {label}
        </Button>
      ))}
    >
      A location is a drawer, a box or a place on a shelf, with a name that you can read from a
      distance. Add many at once by a pattern; you see the names first.
    </EmptyState>
  );
}
