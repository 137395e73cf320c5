import { useQueryClient } from "@tanstack/react-query";
import {
  ArrowRightLeft,
  Boxes,
  FileClock,
  FileUp,
  History,
  MapPin,
  Pencil,
  Plus,
  Trash2,
} from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { ExportButton } from "@/features/exports/public";
import { idParam } from "@/shared/lib/idParam";
import { problemText } from "@/shared/lib/problem";
import { useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { inventoryColumns } from "./columns";
import { DropZone } from "./DropZone";
import { Filters } from "./Filters";
import type { InventoryItem } from "./model";
import { useDeleteItem, useEditInventoryItem } from "./mutations";
import {
  HistoryDrawer,
  LotForm,
  MoveItemDialog,
  StartImport,
  SyncDialog,
  SyncHistory,
} from "./parts";
import { inventoryQueries, inventoryRows } from "./queries";
import { UndecidedImport } from "./sync/UndecidedImport";

type Opened =
  | { view: "import"; file?: File }
  | { view: "imports" }
  | { view: "move" | "edit"; item: InventoryItem };

/** The stock. `?sync=5` opens an import, `?item=7` the history of a row. */
export function InventoryPage() {
  const [params, setParams] = useSearchParams();
  const syncId = idParam(params, "sync");
  const itemId = idParam(params, "item");
  const table = useTableState("inventory", {
    filters: ["location", "condition", "item_type"],
    ordering: "item_number",
  });
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const rows = useMemo(
    () => inventoryRows({ zeroQuantity, unconsolidated }),
    [zeroQuantity, unconsolidated],
  );
  const [opened, setOpened] = useState<Opened | null>(null);
  const edit = useEditInventoryItem();
  const remove = useDeleteItem();
  const navigate = useNavigate();
  const client = useQueryClient();
  const close = useCallback(() => setOpened(null), []);

  const setParam = (name: string, value: number | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (value === null) next.delete(name);
      else next.set(name, String(value));
      return next;
    });

  const actionsOf = (item: InventoryItem): MenuEntry[] => [
    {
      id: "edit",
      label: "Edit…",
      icon: <Pencil aria-hidden="true" className="size-4" />,
      run: () => setOpened({ view: "edit", item }),
    },
    {
      id: "move",
      label: "Move…",
      icon: <ArrowRightLeft aria-hidden="true" className="size-4" />,
      disabledReason: item.quantity === 0 && "There is nothing to move",
      run: () => setOpened({ view: "move", item }),
    },
    {
      id: "history",
      label: "History",
      icon: <History aria-hidden="true" className="size-4" />,
      run: () => setParam("item", item.id),
    },
    {
      id: "location",
      label: item.location_name ? `Open ${item.location_name}` : "Open its location",
      icon: <MapPin aria-hidden="true" className="size-4" />,
      disabledReason: item.location_id === null && "It has none",
      run: () => void navigate(`/app/inventory-locations?location=${item.location_id}`),
    },
    "separator",
    {
      id: "delete",
      label: "Delete row",
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      danger: true,
      disabledReason: item.quantity > 0 && "Only a row with quantity 0 can be deleted",
      run: () =>
        remove.mutate(item.id, {
          onSuccess: () => toast.success("Row deleted; its history is kept"),
          onError: (error) => toast.error(problemText(error)),
        }),
    },
  ];

  return (
    <Page>
      <PageHeader
        title="Inventory"
        description="Everything in stock, where it lies and what it is worth."
        actions={
          <>
            <Button
              icon={<FileClock aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ view: "imports" })}
            >
              Imports
            </Button>
            <ExportButton scope={{ scope: "inventory" }} />
            <Button
              variant="primary"
              icon={<FileUp aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ view: "import" })}
            >
              Import BSX
            </Button>
          </>
        }
      />
      {syncId === null && <UndecidedImport onShow={(id) => setParam("sync", id)} />}
      <DropZone onFile={(file) => setOpened({ view: "import", file })}>
        <DataTable
          label="Inventory"
          table={table}
          columns={inventoryColumns}
          source={rows}
          searchLabel="Search the inventory"
          toolbar={<Filters table={table} />}
          rowActions={actionsOf}
          onOpen={(item) => setParam("item", item.id)}
          onEdit={(item, changes) => edit.mutateAsync({ item, changes })}
          empty={
            <NoStock
              unconsolidated={unconsolidated}
              onImport={() => setOpened({ view: "import" })}
            />
          }
        />
      </DropZone>
      {opened?.view === "edit" && (
        <LotForm
          title={opened.item.part_name || opened.item.item_number}
          lot={opened.item}
          onSave={async (changes) => {
            await edit.mutateAsync({ item: opened.item, changes });
            void client.invalidateQueries({ queryKey: inventoryQueries.lists() });
          }}
          onClose={close}
        />
      )}
      {opened?.view === "move" && <MoveItemDialog item={opened.item} onClose={close} />}
      {opened?.view === "imports" && syncId === null && <SyncHistory onClose={close} />}
      {opened?.view === "import" && (
        <StartImport
          file={opened.file}
          onClose={close}
          onStarted={(id) => {
            close();
            setParam("sync", id);
          }}
        />
      )}
      {syncId !== null && (
        <SyncDialog key={syncId} id={syncId} onClose={() => setParam("sync", null)} />
      )}
      {itemId !== null && syncId === null && (
        <HistoryDrawer id={itemId} onClose={() => setParam("item", null)} />
      )}
    </Page>
  );
}

function NoStock({ unconsolidated, onImport }: { unconsolidated: boolean; onImport: () => void }) {
  if (unconsolidated) {
    return (
      <EmptyState
        icon={<Boxes aria-hidden="true" className="size-5" />}
        title="Nothing to consolidate"
      >
        No lot lies in more than one location: same item, colour and condition.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Boxes aria-hidden="true" className="size-5" />}
      title="No stock yet"
      actions={
        <>
          <ButtonLink to="/app/batches" icon={<Plus aria-hidden="true" className="size-4" />}>
            Start a batch
          </ButtonLink>
          <Button
            variant="primary"
            icon={<FileUp aria-hidden="true" className="size-4" />}
            onClick={onImport}
          >
            Import BSX
          </Button>
        </>
      }
    >
      Drop the BSX file of your store here, or stow a batch.
    </EmptyState>
  );
}
