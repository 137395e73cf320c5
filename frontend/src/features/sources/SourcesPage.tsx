import { Pencil, Plus, Store, Trash2 } from "lucide-react";
import { useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { sourceColumns } from "./columns";
import { type Source, SUGGESTED_SOURCES } from "./model";
import { useDeleteSource, useEditSource } from "./mutations";
import { SourceForm } from "./parts";
import { fetchSources, sourceQueries } from "./queries";

type Opened = { source?: Source; name?: string };

const rows = { key: sourceQueries.lists(), fetch: fetchSources };

/** Where batches come from. */
export function SourcesPage() {
  const table = useTableState("sources", { ordering: "name" });
  const [opened, setOpened] = useState<Opened | null>(null);
  const [doomed, setDoomed] = useState<Source | null>(null);
  const edit = useEditSource();

  const actionsOf = (source: Source): MenuEntry[] => [
    {
      id: "edit",
      label: "Edit",
      icon: <Pencil aria-hidden="true" className="size-4" />,
      run: () => setOpened({ source }),
    },
    "separator",
    {
      id: "delete",
      label: "Delete",
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      danger: true,
      run: () => setDoomed(source),
    },
  ];

  return (
    <Page>
      <PageHeader
        title="Sources"
        description="Where you buy. A batch names its source, so that you can see which ones pay."
        actions={
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setOpened({})}
          >
            New source
          </Button>
        }
      />
      <DataTable
        label="Sources"
        table={table}
        columns={sourceColumns}
        source={rows}
        searchLabel="Search sources"
        rowActions={actionsOf}
        onOpen={(source) => setOpened({ source })}
        onEdit={(source, changes, call) => edit.mutateAsync({ source, changes, call })}
        empty={<NoSources onAdd={(name) => setOpened({ name })} />}
      />
      {opened && (
        <SourceForm
          key={opened.source?.id ?? "new"}
          source={opened.source}
          name={opened.name}
          onClose={() => setOpened(null)}
        />
      )}
      {doomed && <DeleteSource source={doomed} onClose={() => setDoomed(null)} />}
    </Page>
  );
}

function NoSources({ onAdd }: { onAdd: (name?: string) => void }) {
  return (
    <EmptyState
      icon={<Store aria-hidden="true" className="size-5" />}
      title="Where do you buy?"
      actions={SUGGESTED_SOURCES.map((name) => (
        <Button
          key={name}
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onAdd(name)}
        >
          {name}
        </Button>
      ))}
    >
      A source is where a batch came from. Begin with one of these, or with a name of your own.
    </EmptyState>
  );
}

function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const remove = useDeleteSource();
  const confirm = () =>
    remove.mutate(source.id, {
      onSuccess: () => {
        toast.success(`${source.name} deleted`);
        onClose();
      },
      onError: (error) => {
        toast.error(problemText(error));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      title={`Delete ${source.name}?`}
      confirmLabel="Delete source"
      danger
      running={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      The source and its notes are gone for good. One that batches come from cannot be deleted.
    </ConfirmDialog>
  );
}
