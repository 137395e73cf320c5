import { useQuery } from "@tanstack/react-query";
import { ArrowRightLeft, Box, Grid3x3, MapPin, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { idParam } from "@/shared/lib/idParam";
import { DataTable } from "@/shared/table/DataTable";
import { type TableState, useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Field, Select } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState } from "@/shared/ui/states";
import { locationColumns } from "./columns";
import type { Location } from "./model";
import { useEditLocation } from "./mutations";
import {
  ContainerTypesDialog,
  DeleteLocation,
  LocationForm,
  MoveContentsDialog,
  PatternDialog,
} from "./parts";
import { containerTypeQueries, fetchLocations, locationQueries } from "./queries";
import { STARTERS } from "./rules";

const LocationDetail = lazyPart(() => import("./LocationDetail").then((m) => m.LocationDetail));

/** Where things lie: all locations, or one of them at `?location=7`. */
export function LocationsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = idParam(params, "location");
  return (
    <Page>
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
  | { dialog: "edit" | "move" | "delete"; location: Location };

const rows = { key: locationQueries.lists(), fetch: fetchLocations };

function LocationList() {
  const table = useTableState("locations", {
    filters: ["container_type", "fill"],
    ordering: "name",
  });
  const [opened, setOpened] = useState<Opened | null>(null);
  const edit = useEditLocation();
  const navigate = useNavigate();
  const close = () => setOpened(null);

  const actionsOf = (location: Location): MenuEntry[] => [
    {
      id: "open",
      label: "Show its contents",
      icon: <MapPin aria-hidden="true" className="size-4" />,
      run: () => void navigate(`?location=${location.id}`),
    },
    {
      id: "edit",
      label: "Edit",
      icon: <Pencil aria-hidden="true" className="size-4" />,
      run: () => setOpened({ dialog: "edit", location }),
    },
    {
      id: "move",
      label: "Move everything…",
      icon: <ArrowRightLeft aria-hidden="true" className="size-4" />,
      disabledReason: location.lot_count === 0 && "Nothing lies in it",
      run: () => setOpened({ dialog: "move", location }),
    },
    "separator",
    {
      id: "exclude",
      label: "Exclude from recommendations",
      checked: location.exclude_from_recommendations,
      onChange: (checked) =>
        edit.mutate({ location, changes: { exclude_from_recommendations: checked } }),
    },
    {
      id: "full",
      label: "Marked full",
      checked: location.is_full,
      onChange: (checked) => edit.mutate({ location, changes: { is_full: checked } }),
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
            <Button
              icon={<Box aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ dialog: "types" })}
            >
              Container types
            </Button>
            <Button
              icon={<Grid3x3 aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ dialog: "pattern" })}
            >
              Add by pattern
            </Button>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ dialog: "new" })}
            >
              New location
            </Button>
          </>
        }
      />
      <DataTable
        label="Inventory locations"
        table={table}
        columns={locationColumns}
        source={rows}
        searchLabel="Search locations"
        toolbar={<Filters table={table} />}
        rowActions={actionsOf}
        onOpen={(location) => void navigate(`?location=${location.id}`)}
        onEdit={(location, changes) => edit.mutateAsync({ location, changes })}
        empty={<NoLocations onStart={(pattern) => setOpened({ dialog: "pattern", pattern })} />}
      />
      {opened?.dialog === "new" && <LocationForm onClose={close} />}
      {opened?.dialog === "types" && <ContainerTypesDialog onClose={close} />}
      {opened?.dialog === "pattern" && <PatternDialog pattern={opened.pattern} onClose={close} />}
      {opened?.dialog === "edit" && <LocationForm location={opened.location} onClose={close} />}
      {opened?.dialog === "move" && (
        <MoveContentsDialog location={opened.location} onClose={close} />
      )}
      {opened?.dialog === "delete" && <DeleteLocation location={opened.location} onClose={close} />}
    </>
  );
}

const fills = [
  { value: "", label: "Any fill" },
  { value: "empty", label: "Empty" },
  { value: "nearly_full", label: "Nearly full" },
  { value: "over", label: "Over a limit" },
];

function Filters({ table }: { table: TableState }) {
  const types = useQuery(containerTypeQueries.list());
  return (
    <>
      <Field label="Fill" hideLabel>
        <Select
          value={table.filters.fill ?? ""}
          onChange={(event) => table.setFilter("fill", event.target.value || null)}
          options={fills}
        />
      </Field>
      {types.data && types.data.length > 0 && (
        <Field label="Container type" hideLabel>
          <Select
            value={table.filters.container_type ?? ""}
            onChange={(event) => table.setFilter("container_type", event.target.value || null)}
            options={[
              { value: "", label: "Any container" },
              ...types.data.map((type) => ({ value: String(type.id), label: type.name })),
            ]}
          />
        </Field>
      )}
    </>
  );
}

function NoLocations({ onStart }: { onStart: (pattern: string) => void }) {
  return (
    <EmptyState
      icon={<Grid3x3 aria-hidden="true" className="size-5" />}
      title="Start with a cabinet"
      actions={STARTERS.map(({ label, pattern }) => (
        <Button
          key={pattern}
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onStart(pattern)}
        >
          {label}
        </Button>
      ))}
    >
      A location is a drawer, a box or a place on a shelf, with a name that you can read from where
      you stand. Make many at once from a pattern; you see the names before they are made.
    </EmptyState>
  );
}
