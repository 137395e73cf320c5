import {
  Blocks,
  Boxes,
  CircleCheck,
  FolderOpen,
  Hammer,
  Pencil,
  Plus,
  ShoppingCart,
  Tag,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { profileQueries } from "@/features/profile/public";
import { idParam } from "@/shared/lib/idParam";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { useKeptChoice } from "@/shared/lib/useKeptChoice";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { setColumns } from "./columns";
import type { UserSet } from "./model";
import { useDeleteSet, useEditSet } from "./mutations";
import {
  AddSetsDialog,
  CompleteDialog,
  MissingDialog,
  PartOutDialog,
  SellDialog,
  SetForm,
} from "./parts";
import { setRows } from "./queries";
import { pieces, whyNotSell } from "./rules";

const SetDetail = lazyPart(() => import("./SetDetail").then((m) => m.SetDetail));
const Overview = lazyPart(() => import("./Overview").then((m) => m.Overview));
const SetCards = lazyPart(() => import("./SetCards").then((m) => m.SetCards), <Loading />);
const BuildPanel = lazyPart(() => import("./BuildPanel").then((m) => m.BuildPanel));

/** All sets, one of them at `?set=3`, or what the stock makes at `?build=1`. */
export function SetsPage() {
  const [params] = useSearchParams();
  const id = idParam(params, "set");
  return (
    <Page wide>
      {id !== null ? (
        <SetDetail key={id} id={id} />
      ) : params.has("build") ? (
        <BuildPanel />
      ) : (
        <SetList />
      )}
    </Page>
  );
}

type Opened =
  | { dialog: "add" }
  | { dialog: "edit" | "delete" | "partOut" | "complete" | "sell"; set: UserSet }
  | { dialog: "missing"; ids: readonly number[] };

const views = { table: "Table", cards: "Cards" };

function SetList() {
  const currency = useSideQuery(profileQueries.preferences(), "your currency")?.currency;
  const table = useTableState("userSets", { columns: setColumns, ordering: "-createdAt" });
  const [opened, setOpened] = useState<Opened | null>(null);
  const view = useKeptChoice("setView", views, "table");
  const navigate = useNavigate();
  const edit = useEditSet();
  const remove = useDeleteSet({ tellsFailure: true });
  const close = () => setOpened(null);
  useAskedFor("add", () => setOpened({ dialog: "add" }));
  const open = (set: UserSet) => void navigate(`?set=${set.id}`);

  const actionsOf = (set: UserSet): MenuEntry[] => [
    {
      id: "open",
      label: "Open",
      icon: FolderOpen,
      run: () => open(set),
    },
    {
      id: "edit",
      label: "Edit…",
      icon: Pencil,
      run: () => setOpened({ dialog: "edit", set }),
    },
    {
      id: "complete",
      label: "Complete",
      icon: CircleCheck,
      disabledReason: set.state === "complete" && "It is complete",
      run: () => setOpened({ dialog: "complete", set }),
    },
    {
      id: "missing",
      label: "Missing parts…",
      icon: ShoppingCart,
      disabledReason: set.pieces_missing === 0 && "Nothing is missing",
      run: () => setOpened({ dialog: "missing", ids: [set.id] }),
    },
    {
      id: "partOut",
      label: "Part out…",
      icon: Boxes,
      run: () => setOpened({ dialog: "partOut", set }),
    },
    {
      id: "sell",
      label: "Sell as a set…",
      icon: Tag,
      disabledReason: whyNotSell(set),
      run: () => setOpened({ dialog: "sell", set }),
    },
    "separator",
    {
      id: "delete",
      label: "Remove",
      icon: Trash2,
      danger: true,
      run: () => setOpened({ dialog: "delete", set }),
    },
  ];

  const empty = <NoSets onAdd={() => setOpened({ dialog: "add" })} />;
  const switchView = (
    <SegmentedControl
      label="Shown as"
      value={view.value}
      options={views}
      onChange={(chosen) => {
        view.onChange(chosen);
        table.setPageIndex(0);
      }}
    />
  );
  return (
    <>
      <PageHeader
        title="My Sets"
        description="Sets you own or complete: what they require, what is on hand, what is missing."
        actions={
          <>
            <ButtonLink to="/app/userSets?build=1" icon={Hammer}>
              What can I build?
            </ButtonLink>
            <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: "add" })}>
              Add sets
            </Button>
          </>
        }
      />
      <Overview />
      {view.value === "cards" ? (
        <SetCards table={table} actionsOf={actionsOf} empty={empty}>
          {switchView}
        </SetCards>
      ) : (
        <DataTable
          label="Sets"
          table={table}
          currency={currency}
          columns={setColumns}
          source={setRows}
          searchLabel="Search sets"
          rowActions={actionsOf}
          rowName={({ number, name }) => `${number} ${name}`}
          onOpen={open}
          onEdit={(row, changes, call) => edit.mutateAsync({ row, changes, call })}
          bulk={(selection) => (
            <Button
              size="sm"
              icon={ShoppingCart}
              onClick={() => setOpened({ dialog: "missing", ids: selection.ids.map(Number) })}
            >
              Missing parts
            </Button>
          )}
          toolbar={switchView}
          empty={empty}
        />
      )}
      {opened?.dialog === "add" && <AddSetsDialog onClose={close} />}
      {opened?.dialog === "edit" && <SetForm set={opened.set} onClose={close} />}
      {opened?.dialog === "complete" && <CompleteDialog set={opened.set} onClose={close} />}
      {opened?.dialog === "missing" && <MissingDialog ids={opened.ids} onClose={close} />}
      {opened?.dialog === "partOut" && <PartOutDialog set={opened.set} onClose={close} />}
      {opened?.dialog === "sell" && <SellDialog set={opened.set} onClose={close} />}
      {opened?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={`Remove ${opened.set.number}?`}
          confirmLabel="Remove"
          danger
          running={remove.isPending}
          onClose={close}
          onConfirm={() =>
            remove.mutate(opened.set.id, {
              onSuccess: () => {
                toast.success(`${opened.set.number} removed`);
                close();
              },
            })
          }
        >
          {opened.set.pieces_on_hand > 0
            ? `${pieces(opened.set.pieces_on_hand)} are counted as on hand for it; that count is forgotten. Your stock stays as it is.`
            : "Your stock stays as it is."}
        </ConfirmDialog>
      )}
    </>
  );
}

function NoSets({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={Blocks}
      title="No sets"
      actions={
        <Button variant="primary" icon={Plus} onClick={onAdd}>
          Add sets
        </Button>
      }
    >
      Add a set by number or photo. Parts you sort will be matched to it.
    </EmptyState>
  );
}
