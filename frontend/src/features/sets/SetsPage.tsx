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
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { useCurrency } from "@/features/profile/public";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { useKeptChoice } from "@/shared/lib/useKeptChoice";
import { agedText, unpricedText, valueText } from "@/shared/lib/worth";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { setColumns } from "./columns";
import type { SetOverview, UserSet } from "./model";
import { saveSetOf, useDeleteSet } from "./mutations";
import {
  AddSetsDialog,
  CompleteDialog,
  MissingDialog,
  PartOutDialog,
  SellDialog,
  SetForm,
} from "./parts";
import { setQueries, setRows } from "./queries";
import { Ring } from "./Ring";
import { pieces, whyNotSell } from "./rules";

const SetDetail = lazyPart(() => import("./SetDetail").then((m) => m.SetDetail));

const SetCards = lazyPart(() => import("./SetCards").then((m) => m.SetCards), <Loading />);
const BuildPanel = lazyPart(() => import("./BuildPanel").then((m) => m.BuildPanel));

/** All sets, one of them at `?set=3`, or what the stock makes at `?build=1`. */
export function SetsPage() {
  const [params] = useSearchParams();
  return (
    <ListPage one={{ set: (id) => <SetDetail key={id} id={id} /> }}>
      {params.has("build") ? <BuildPanel /> : <SetList />}
    </ListPage>
  );
}

type SetDialog =
  | { dialog: "add" }
  | { dialog: "edit" | "delete" | "partOut" | "complete" | "sell"; set: UserSet }
  | { dialog: "missing"; ids: readonly number[] };

const views = { table: "Table", cards: "Cards" };

function SetList() {
  const currency = useCurrency();
  const table = useTableState("userSets", { columns: setColumns, ordering: "-createdAt" });
  const [opened, setOpened] = useState<SetDialog | null>(null);
  const view = useKeptChoice("setView", views, "table");
  const navigate = useNavigate();
  const add = () => setOpened({ dialog: "add" });
  useAskedFor("add", add);
  const open = (set: UserSet) => void navigate(`?set=${set.id}`);
  const entriesOf = (set: UserSet) => setEntries(set, open, setOpened);
  const empty = <NoSets onAdd={add} />;
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
            <ButtonLink to={pathTo("sets", { build: 1 })} icon={Hammer}>
              What can I build?
            </ButtonLink>
            <Button variant="primary" icon={Plus} onClick={add}>
              Add sets
            </Button>
          </>
        }
      />
      <Overview />
      <Settled>
        {view.value === "cards" ? (
          <SetCards table={table} actionsOf={entriesOf} empty={empty}>
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
            rowActions={entriesOf}
            rowName={({ number, name }) => `${number} ${name}`}
            onOpen={open}
            onEdit={saveSetOf}
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
      </Settled>
      <Dialogs opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** What can be done with a set of the list. */
function setEntries(
  set: UserSet,
  open: (set: UserSet) => void,
  show: (opened: SetDialog) => void,
): MenuEntry[] {
  const ask = (dialog: "edit" | "delete" | "partOut" | "complete" | "sell") => () =>
    show({ dialog, set });
  return [
    { id: "open", label: "Open", icon: FolderOpen, run: () => open(set) },
    { id: "edit", label: "Edit…", icon: Pencil, run: ask("edit") },
    {
      id: "complete",
      label: "Complete",
      icon: CircleCheck,
      disabledReason: set.state === "complete" && "It is complete",
      run: ask("complete"),
    },
    {
      id: "missing",
      label: "Missing parts…",
      icon: ShoppingCart,
      disabledReason: set.pieces_missing === 0 && "Nothing is missing",
      run: () => show({ dialog: "missing", ids: [set.id] }),
    },
    { id: "partOut", label: "Part out…", icon: Boxes, run: ask("partOut") },
    {
      id: "sell",
      label: "Sell as a set…",
      icon: Tag,
      disabledReason: whyNotSell(set),
      run: ask("sell"),
    },
    "separator",
    { id: "delete", label: "Remove", icon: Trash2, danger: true, run: ask("delete") },
  ];
}

function Dialogs({ opened, onClose }: { opened: SetDialog | null; onClose: () => void }) {
  switch (opened?.dialog) {
    case "add":
      return <AddSetsDialog onClose={onClose} />;
    case "edit":
      return <SetForm set={opened.set} onClose={onClose} />;
    case "complete":
      return <CompleteDialog set={opened.set} onClose={onClose} />;
    case "missing":
      return <MissingDialog ids={opened.ids} onClose={onClose} />;
    case "partOut":
      return <PartOutDialog set={opened.set} onClose={onClose} />;
    case "sell":
      return <SellDialog set={opened.set} onClose={onClose} />;
    case "delete":
      return <RemoveSet set={opened.set} onClose={onClose} />;
    default:
      return null;
  }
}

function RemoveSet({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const remove = useDeleteSet({ tellsFailure: true });
  const removed = () => {
    toast.success(`${set.number} removed`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Remove ${set.number}?`}
      confirmLabel="Remove"
      danger
      running={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(set.id, { onSuccess: removed })}
    >
      {set.pieces_on_hand > 0
        ? `${pieces(set.pieces_on_hand)} are counted as on hand for it; that count is forgotten. Your stock stays as it is.`
        : "Your stock stays as it is."}
    </ConfirmDialog>
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

/** How far the open sets are, as rings, and what is missing of all of them. */
function Overview() {
  const data = useSideQuery(setQueries.overview(), "the sum of your sets");
  // Nothing to show, or the list below says why.
  if (!data || data.sets.length === 0) return null;
  const lacking = data.pieces_required - data.pieces_on_hand;
  return (
    <section
      aria-label="Open sets"
      className="mb-4 flex shrink-0 flex-col gap-3 rounded-card border border-line bg-surface p-3 shadow-card"
    >
      <p className="text-muted text-sm">
        <strong className="font-semibold text-ink">{counted(data.open_sets, "open set")}</strong>
        {`, ${pieces(lacking)} missing`}
        {lacking > 0 &&
          data.cost_of_missing !== null &&
          `: ${valueText(data.cost_of_missing, data.currency)} to buy`}
        {data.lots_without_price > 0 && `, ${unpricedText(data.lots_without_price)}`}
        {data.figuresAt && `, ${agedText(data.figuresAt)}`}
      </p>
      <ul className="flex gap-2 overflow-x-auto pb-1">
        {data.sets.map((set) => (
          <li key={set.id} className="shrink-0">
            <Link
              to={`?set=${set.id}`}
              className="flex w-52 items-center gap-2.5 rounded-control p-1.5 hover:bg-hover"
            >
              <Ring percent={set.percent} />
              <span className="flex min-w-0 flex-col">
                <span title={set.name} className="truncate font-medium text-sm">
                  {set.name}
                </span>
                <span className="truncate text-muted text-xs">{whatLacks(set, data.currency)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whatLacks(set: SetOverview["sets"][number], currency: string): string {
  if (set.pieces_missing === 0) return "all on hand";
  const cost = set.cost_of_missing === null ? "" : `, ${valueText(set.cost_of_missing, currency)}`;
  return `${formatCount(set.pieces_missing)} missing${cost}`;
}
