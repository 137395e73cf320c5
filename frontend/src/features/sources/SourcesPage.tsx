import { ChartColumn, ChartLine, Layers, Merge, Pencil, Plus, Store, Trash2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useCurrency } from "@/features/profile/public";
import { idParam } from "@/shared/lib/idParam";
import { pathTo } from "@/shared/lib/paths";
import { hides, may } from "@/shared/lib/role";
import { CLOSING, useAddress } from "@/shared/lib/useAddress";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ToggleButton } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import type { MenuEntry } from "@/shared/ui/Menu";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState } from "@/shared/ui/states";
import { columnsSeen } from "./columns";
import { type Source, SUGGESTED_SOURCES } from "./model";
import { saveSourceOf, useMergeSource } from "./mutations";
import { CaseTwins, DeleteSource, MergeSource, Returns, SourceDrawer, SourceForm } from "./parts";
import { fetchSources, sourceQueries } from "./queries";

type SourceInForm = { source?: Source; name?: string };
type Asked = { about: "merge" | "delete"; source: Source };

const rows = { key: sourceQueries.lists(), fetch: fetchSources };

/** Where batches come from. */
export function SourcesPage() {
  const currency = useCurrency();
  const [columns] = useState(columnsSeen);
  const table = useTableState("sources", { columns, ordering: "name" });
  const [address, change] = useAddress();
  const shown = idParam(address, "source");
  const show = (id: number) => change({ source: id });
  const closeShown = () => change({ source: null }, CLOSING);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<SourceInForm | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [drawn, setDrawn] = useState(false);
  const merge = useMergeSource();
  const twins = useSideQuery(sourceQueries.twins(), "names that differ only in capitals");

  return (
    <Page wide>
      <PageHeader
        title="Sources"
        description="Where you buy. A batch names its source, so that you can see which ones pay."
        actions={
          <Button variant="primary" icon={Plus} needs="write sources" onClick={() => setOpened({})}>
            New source
          </Button>
        }
      />
      {may("write sources/{}/merge") && twins && twins.length > 0 && (
        <CaseTwins
          groups={twins}
          effect={(_, into) => `Its batches and notes go to ${into.name}.`}
          merge={merge}
        />
      )}
      {drawn && <Returns onShow={show} />}
      <DataTable
        label="Sources"
        table={table}
        currency={currency}
        columns={columns}
        source={rows}
        searchLabel="Search sources"
        toolbar={
          !hides("return_on_cost") && (
            <ToggleButton icon={ChartColumn} on={drawn} onToggle={setDrawn}>
              Return per source
            </ToggleButton>
          )
        }
        rowActions={(source) =>
          sourceEntries(source, {
            show: () => show(source.id),
            batches: () => void navigate(pathTo("batches", { source: source.id })),
            edit: () => setOpened({ source }),
            ask: (about) => setAsked({ about, source }),
          })
        }
        rowName={(source) => source.name}
        onOpen={(source) => show(source.id)}
        needs="write sources/{}"
        onEdit={saveSourceOf}
        empty={<NoSources onAdd={(name) => setOpened({ name })} />}
      />
      {shown !== null && (
        <SourceDrawer
          key={shown}
          id={shown}
          onEdit={(source) => {
            closeShown();
            setOpened({ source });
          }}
          onClose={closeShown}
        />
      )}
      {opened && (
        <SourceForm
          key={opened.source?.id ?? "new"}
          source={opened.source}
          name={opened.name}
          onClose={() => setOpened(null)}
        />
      )}
      {asked?.about === "merge" && (
        <MergeSource source={asked.source} onClose={() => setAsked(null)} />
      )}
      {asked?.about === "delete" && (
        <DeleteSource source={asked.source} onClose={() => setAsked(null)} />
      )}
    </Page>
  );
}

/** What can be done with a source of the list. */
function sourceEntries(
  source: Source,
  run: Record<"show" | "batches" | "edit", () => void> & { ask: (about: Asked["about"]) => void },
): MenuEntry[] {
  return [
    { id: "show", label: "Show its batches and figures", icon: ChartLine, run: run.show },
    {
      id: "batches",
      label: "Open its batches",
      icon: Layers,
      disabledReason: source.batch_count === 0 && "No batch comes from it",
      run: run.batches,
    },
    { id: "edit", label: "Edit", icon: Pencil, needs: "write sources/{}", run: run.edit },
    {
      ...{ id: "merge", label: "Merge into…", icon: Merge, needs: "write sources/{}/merge" },
      run: () => run.ask("merge"),
    },
    ...(may("write sources/{}") ? (["separator"] as const) : []),
    {
      ...{ id: "delete", label: "Delete", icon: Trash2, danger: true, needs: "write sources/{}" },
      run: () => run.ask("delete"),
    },
  ];
}

function NoSources({ onAdd }: { onAdd: (name?: string) => void }) {
  return (
    <EmptyState
      icon={Store}
      title="Where do you buy?"
      actions={SUGGESTED_SOURCES.map((name) => (
        <Button key={name} icon={Plus} needs="write sources" onClick={() => onAdd(name)}>
          {name}
        </Button>
      ))}
    >
      A source is where a batch came from. Begin with one of these, or with a name of your own.
    </EmptyState>
  );
}
