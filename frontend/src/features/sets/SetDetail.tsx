import { useQuery } from "@tanstack/react-query";
import {
  Boxes,
  CircleCheck,
  CircleDollarSign,
  Ellipsis,
  PackageOpen,
  Pencil,
  RefreshCw,
  ShoppingCart,
  Tag,
  Undo2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { GetPricesDialog, PriceRunNotice } from "@/features/marketplace/public";
import { formatAgo, formatCount, formatDate, formatMoney } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { regionName, regionNames } from "@/shared/lib/regions";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { useStable } from "@/shared/lib/useStable";
import { agedText, NO_PRICE, unpricedText, valueText } from "@/shared/lib/worth";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { BackLink } from "@/shared/ui/BackLink";
import { ColorSwatch, Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { Card, PageHeader } from "@/shared/ui/Card";
import { HeadActs } from "@/shared/ui/HeadActs";
import { ItemImage } from "@/shared/ui/ItemImage";
import { type Condition, conditionNames } from "@/shared/ui/Lot";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { EmptyState, Loaded, LoadProblem } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { Completion } from "./Completion";
import { StateBadge } from "./columns";
import { LeftOutTable, MinifigTable } from "./Lines";
import {
  isOpen as isOpenState,
  type SetPart,
  type SetSummary,
  subConditionOptions,
  type UserSet,
} from "./model";
import {
  type Renewed,
  savePartOf,
  useCountPart,
  usePutAside,
  useRenewContents,
  useUndoRenew,
  useUndoTake,
} from "./mutations";
import { partColumns } from "./partColumns";
import {
  CompleteDialog,
  MissingDialog,
  PartOutDialog,
  SellDialog,
  SetForm,
  TakeDialog,
} from "./parts";
import { partRows, setQueries } from "./queries";
import { lots, pieces, whyNotSell } from "./rules";

/** One set: how far it is, its parts, and everything that is done with them. */
export function SetDetail({ id }: { id: number }) {
  const query = useQuery(setQueries.detail(id));
  return (
    <>
      <BackLink to={paths.sets}>All sets</BackLink>
      <Loaded query={query} keepsData>
        {(set) => <OpenSet set={set} />}
      </Loaded>
    </>
  );
}

type Asked =
  | { dialog: "edit" | "missing" | "partOut" | "complete" | "sell" | "prices" }
  /** `parts`: only these, else all that it lacks. */
  | { dialog: "take"; parts?: readonly SetPart[] };
type Ask = (asked: Asked) => void;

function OpenSet({ set }: { set: UserSet }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const condition = useControl<Condition>(set.condition);
  const [region, setRegion] = useState<string | null>(null);
  const summary = useQuery(
    setQueries.summary(set.id, { condition: condition.value, ...(region && { region }) }),
  );
  const known = set.pieces_required > 0;

  return (
    <>
      <PageHeader
        title={set.name}
        description={facts(set)}
        actions={<Actions set={set} summary={summary.data} onAsk={setAsked} />}
      />
      <div className="flex flex-col gap-2">
        <PriceRunNotice />
        <LoadProblem query={summary} what="What the set needs and is worth" />
        {known ? (
          <Head
            set={set}
            summary={summary.data}
            by={
              <div className="flex flex-wrap gap-2">
                <SegmentedControl label="Prices of" {...condition} options={conditionNames} />
                <SegmentedControl
                  label="Prices from"
                  value={region ?? summary.data?.region ?? "global"}
                  onChange={setRegion}
                  options={regionsWith(summary.data?.region)}
                />
              </div>
            }
          />
        ) : (
          <NoContents set={set} />
        )}
        {known && (
          <Settled>
            <Contents set={set} onTake={(parts) => setAsked({ dialog: "take", parts })} />
          </Settled>
        )}
      </div>
      <Dialogs
        {...{ set, asked, summary: summary.data, condition: condition.value }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}

/** What is done with the set, the next act last: it is the primary one. */
function Actions(props: { set: UserSet; summary: SetSummary | undefined; onAsk: Ask }) {
  const { set, summary, onAsk } = props;
  const known = set.pieces_required > 0;
  const isWhole = set.pieces_missing === 0;
  const whyNone = isWhole && (known ? "Nothing is missing" : "Its parts are not known");
  const next =
    isWhole && known ? "finish" : summary && summary.pieces_in_stock === 0 ? "missing" : "take";
  const finish =
    whyNotSell(set) === null
      ? ({ icon: Tag, label: "Sell as a set…", dialog: "sell" } as const)
      : ({ icon: CircleCheck, label: "Complete", dialog: "complete" } as const);
  const acts = [
    { id: "finish", why: false, ...finish },
    {
      id: "missing",
      icon: ShoppingCart,
      label: "Missing parts",
      dialog: "missing",
      why: isWhole && "Nothing is missing",
    },
    { id: "take", icon: PackageOpen, label: "Take from stock", dialog: "take", why: whyNone },
  ] as const;
  const isPhone = useIsPhone();
  const others = acts
    .filter(({ id }) => id !== next)
    .sort((one, other) => Number(other.id === "missing") - Number(one.id === "missing"))
    .map(({ why, dialog, ...act }) => ({
      ...act,
      disabledReason: why,
      run: () => onAsk({ dialog }),
    }));
  return (
    <>
      <More set={set} onAsk={onAsk} first={isPhone ? others : others.slice(1)} />
      {!isPhone && <HeadActs acts={others.slice(0, 1)} />}
      {acts
        .filter(({ id }) => id === next)
        .map(({ id, icon, label, dialog, why }) => (
          <Button
            key={id}
            icon={icon}
            variant="primary"
            disabledReason={why}
            onClick={() => onAsk({ dialog })}
          >
            {label}
          </Button>
        ))}
    </>
  );
}

function Contents(props: { set: UserSet; onTake: (parts: readonly SetPart[]) => void }) {
  const { set, onTake } = props;
  const [tab, setTab] = useState("parts");
  return (
    <Tabs
      label="What it is made of"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: "parts", label: "Parts", panel: <Parts set={set} onTake={onTake} /> },
        { value: "minifigs", label: "Minifigs", panel: <MinifigTable set={set} /> },
        { value: "leftOut", label: "Not counted", panel: <LeftOutTable set={set} /> },
        { value: "takes", label: "Taken", panel: <Takes set={set} /> },
      ]}
    />
  );
}

function Dialogs(props: {
  set: UserSet;
  asked: Asked | null;
  summary: SetSummary | undefined;
  condition: Condition;
  onClose: () => void;
}) {
  const { set, asked, summary, condition, onClose } = props;
  switch (asked?.dialog) {
    case "edit":
      return <SetForm set={set} onClose={onClose} />;
    case "take":
      return (
        <TakeDialog set={set} {...(asked.parts && { parts: asked.parts })} onClose={onClose} />
      );
    case "missing":
      return <MissingDialog ids={[set.id]} {...(summary && { summary })} onClose={onClose} />;
    case "partOut":
      return <PartOutDialog set={set} onClose={onClose} />;
    case "prices": {
      const minifigs_in_parts = set.minifigs_as === "parts";
      return (
        <GetPricesDialog
          of={{ of: "partOut", body: { user_set_id: set.id, condition, minifigs_in_parts } }}
          count={summary?.lots_required ?? set.pieces_required}
          onClose={onClose}
        />
      );
    }
    case "complete":
      return <CompleteDialog set={set} onClose={onClose} />;
    case "sell":
      return <SellDialog set={set} onClose={onClose} />;
    default:
      return null;
  }
}

function facts(set: UserSet): string {
  const how = subConditionOptions.find(({ value }) => value === set.sub_condition);
  return [
    set.number,
    set.year,
    set.theme,
    set.quantity > 1 && `${formatCount(set.quantity)} of them`,
    set.sub_condition && how
      ? `${conditionNames[set.condition]}, ${how.label.toLowerCase()}`
      : conditionNames[set.condition],
    set.location_name && `in ${set.location_name}`,
    set.source_name && `from ${set.source_name}`,
    set.price_paid && `${formatMoney(set.price_paid)} paid`,
    set.acquired_on && formatDate(set.acquired_on),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Copies a set's parts from the catalogue again; its toast has Undo. */
function useCopyAnew(set: UserSet) {
  const renew = useRenewContents();
  const undo = useUndoRenew();

  const tellDone = async ({ pieces_required, replaced }: Renewed) => {
    const required = `${pieces(pieces_required)} required`;
    if (replaced.lots.length === 0) return toast.info(`Nothing changed: ${required}`);
    const { tellAct } = await import("@/shared/table/editing/tellAct");
    const words = `Parts of ${set.number} copied again: ${required}`;
    await tellAct({
      table: "userSets",
      label: words,
      words,
      takeBack: async () => {
        await undo.mutateAsync({ set: set.id, replaced });
        return `${set.number} restored`;
      },
    });
  };
  const run = () => renew.mutate(set.id, { onSuccess: (now) => void tellDone(now) });
  return { run, isPending: renew.isPending };
}

function More(props: { set: UserSet; onAsk: Ask; first: readonly MenuEntry[] }) {
  const { set, onAsk, first } = props;
  const copy = useCopyAnew(set);
  const ask = (dialog: "edit" | "partOut" | "prices") => () => onAsk({ dialog });
  const entries: MenuEntry[] = [
    ...first,
    { id: "edit", label: "Edit…", icon: Pencil, run: ask("edit") },
    { id: "partOut", label: "Part out…", icon: Boxes, run: ask("partOut") },
    {
      id: "prices",
      label: "Get the prices of its parts…",
      icon: CircleDollarSign,
      disabledReason: set.pieces_required === 0 && "Its parts are not known",
      run: ask("prices"),
    },
    {
      id: "renew",
      label: "Copy its parts from the catalogue again",
      icon: RefreshCw,
      run: copy.run,
    },
  ];
  return <Menu trigger={<IconButton label="More" icon={Ellipsis} />} entries={entries} />;
}

function NoContents({ set }: { set: UserSet }) {
  const copy = useCopyAnew(set);
  return (
    <Card>
      <EmptyState
        icon={Boxes}
        title="Its parts are not in the catalogue"
        actions={
          <Button loading={copy.isPending} icon={RefreshCw} onClick={copy.run}>
            Look again
          </Button>
        }
      >
        Once an operator imports its contents (Rebrickable's inventories, or BrickLink's S-
        {set.number}.txt), its parts are shown here.
      </EmptyState>
    </Card>
  );
}

/** How far the set is, in one row; what its figures rest on opens below. */
function Head(props: { set: UserSet; summary: SetSummary | undefined; by: React.ReactNode }) {
  const { set, summary } = props;
  const [isOpen, setOpen] = useState(false);
  const { parts_value_at: ofParts, value_of_set_at: ofSet } = summary ?? {};
  const ages = [
    ofParts && `Parts: ${agedText(ofParts)}`,
    ofSet && `${ofParts ? "the" : "The"} set: ${agedText(ofSet)}`,
  ].filter(Boolean);
  return (
    <section
      aria-label="How far it is"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface px-4 py-3 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="flex min-w-64 flex-1 items-center gap-4">
          <ItemImage src={set.image_url} type="SET" name={set.name} size="md" />
          <div className="flex min-w-0 flex-1 flex-col gap-1.5">
            <div className="flex flex-wrap items-center gap-2 text-sm">
              <StateBadge state={set.state} />
              <span className="tabular-nums">{onHandText(set)}</span>
              {set.minifigs_required > 0 && (
                <span className="text-muted tabular-nums">
                  {formatCount(set.minifigs_on_hand)} of {formatCount(set.minifigs_required)}{" "}
                  minifigs
                </span>
              )}
            </div>
            <Completion
              size="md"
              required={set.pieces_required}
              onHand={set.pieces_on_hand}
              inStock={summary?.pieces_in_stock ?? 0}
            />
          </div>
        </div>
        <Figures summary={summary} />
        <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Details
        </Button>
      </div>
      {isOpen && (
        <div className="flex flex-col gap-3 border-line border-t pt-3">
          {props.by}
          {ages.length > 0 && <p className="text-muted text-xs">{ages.join("; ")}</p>}
          {set.pieces_missing > 0 && (
            <p className="text-muted text-xs">
              {isOpenState(set.state)
                ? "While you sort, the station asks to put aside what it lacks."
                : "The station does not ask for its parts in this state: set it to “In progress” for that."}
            </p>
          )}
          {summary && summary.by_color.length > 0 && <ByColor summary={summary} />}
        </div>
      )}
      {set.notes && <p className="whitespace-pre-wrap text-muted text-sm">{set.notes}</p>}
    </section>
  );
}

/** What it lacks and is worth; until that is known, its place. */
function Figures({ summary }: { summary: SetSummary | undefined }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 max-sm:w-full sm:grid-cols-[repeat(4,auto)]">
      {figuresOf(summary).map(({ name, value, note }) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-semibold text-base tabular-nums">{value}</dd>
          <dd className="text-muted text-xs max-sm:min-h-8">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

const figureNames = ["Missing", "Of these in stock", "Cost of missing", "Worth in parts"];

function figuresOf(summary: SetSummary | undefined) {
  if (!summary) return figureNames.map((name) => ({ name, value: "…", note: "\u00a0" }));
  const { currency } = summary;
  return [
    {
      name: "Missing",
      value: formatCount(summary.pieces_missing),
      note: lots(summary.lots_missing),
    },
    {
      name: "Of these in stock",
      value: formatCount(summary.pieces_in_stock),
      note: "to take",
    },
    {
      name: "Cost of missing",
      value:
        summary.cost_of_missing === null ? NO_PRICE : valueText(summary.cost_of_missing, currency),
      note: summary.lots_without_price
        ? unpricedText(summary.lots_without_price)
        : "by your price rule",
    },
    {
      name: "Worth in parts",
      value: summary.parts_value === null ? NO_PRICE : valueText(summary.parts_value, currency),
      note: [
        summary.parts_without_price > 0 && unpricedText(summary.parts_without_price),
        summary.value_of_set === null
          ? "the set: no price"
          : `one set ${valueText(summary.value_of_set, currency)}`,
      ]
        .filter(Boolean)
        .join("; "),
    },
  ];
}

/** The colours with the most pieces, and how far each is. */
function ByColor({ summary }: { summary: SetSummary }) {
  const most = Math.max(...summary.by_color.map((color) => color.pieces_required));
  return (
    <ul aria-label="By colour" className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
      {summary.by_color.map((color) => (
        <li key={color.color_id} className="flex items-center gap-2 text-xs">
          <ColorSwatch html={color.color_html} size="sm" />
          <span className="w-28 shrink-0 truncate" title={color.color_name}>
            {color.color_name}
          </span>
          <span aria-hidden="true" className="flex h-1.5 min-w-0 flex-1">
            <span
              className="flex overflow-hidden rounded-full bg-line"
              style={{ width: `${(color.pieces_required / most) * 100}%` }}
            >
              <span
                className="bg-accent"
                style={{ width: `${(color.pieces_on_hand / color.pieces_required) * 100}%` }}
              />
            </span>
          </span>
          <span className="shrink-0 tabular-nums">
            {formatCount(color.pieces_on_hand)} of {formatCount(color.pieces_required)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const rowName = (part: SetPart) => `${part.item_number} ${part.color_name}`;

const onHandText = (set: UserSet) =>
  `${formatCount(set.pieces_on_hand)} of ${formatCount(set.pieces_required)} pieces on hand`;

function Parts(props: { set: UserSet; onTake: (parts: readonly SetPart[]) => void }) {
  const { set, onTake } = props;
  const press = useCountPart({ tellsFailure: true });
  const aside = usePutAside();
  const say = (part: SetPart, onHand: number) => press.mutate({ part, onHand });
  const tick = useStable((part: SetPart) =>
    say(part, part.quantity_missing === 0 ? 0 : part.quantity_required),
  );
  const columns = useMemo(() => partColumns(tick), [tick]);
  const table = useTableState("setParts", { columns, filters: ["state"], ordering: "color" });
  const rows = useMemo(() => partRows(set.id), [set.id]);
  /** One piece more or fewer of a row's part. */
  const step = (quantity: number, done: string) => (part: SetPart, say: (text: string) => void) =>
    // `mutate` calls back for the last of several presses only.
    aside.mutateAsync({ part, quantity }).then(
      (now) => say(`${rowName(part)}: ${done}, ${onHandText(now)}`),
      () => undefined, // its toast says why
    );
  const fewer = step(-1, "one fewer");
  const rowKeys = { "+": step(1, "one more"), "-": fewer, "−": fewer };
  const actionsOf = (part: SetPart): MenuEntry[] => [
    {
      id: "all",
      label: "All on hand",
      disabledReason: part.quantity_missing === 0 && "All are on hand",
      run: () => say(part, part.quantity_required),
    },
    {
      id: "none",
      label: "None on hand",
      disabledReason: part.quantity_on_hand === 0 && "None are on hand",
      run: () => say(part, 0),
    },
    {
      id: "take",
      label: "Take from stock…",
      disabledReason:
        part.in_stock === 0
          ? "None in stock"
          : part.quantity_missing === 0 && "None of it is missing",
      run: () => onTake([part]),
    },
  ];
  return (
    <div>
      <DataTable
        label="Parts of the set"
        table={table}
        columns={columns}
        source={rows}
        searchLabel="Search parts"
        historyKey={`setParts:${set.id}`}
        rowName={rowName}
        rowActions={actionsOf}
        rowKeys={rowKeys}
        onEdit={savePartOf}
        toolbar={
          <SegmentedControl
            label="Which parts"
            value={table.filters.state ?? ""}
            onChange={(value) => table.setFilter("state", value || null)}
            options={{ "": "All", missing: "Missing", in_stock: "In stock", on_hand: "On hand" }}
          />
        }
        empty={<EmptyState title="No parts" />}
      />
      <p className="pt-2 text-muted text-xs">
        On a row, <Kbd>+</Kbd> and <Kbd>−</Kbd> add or remove a piece.
      </p>
    </div>
  );
}

/** The pieces taken from stock for it; each row can be put back. */
function Takes({ set }: { set: UserSet }) {
  const query = useQuery(setQueries.takes(set.id));
  const undo = useUndoTake();
  return (
    <Loaded query={query} empty={<EmptyState title="No pieces were taken from stock for it" />}>
      {(takes) => (
        <ul className="flex flex-col divide-y divide-line">
          {takes.map((take) => (
            <li key={take.id} className="flex items-center justify-between gap-3 py-2 text-sm">
              <span>
                {pieces(take.piece_count)}{" "}
                <span className="text-muted">{formatAgo(take.createdAt, Date.now())}</span>
              </span>
              {take.undoneAt ? (
                <span className="text-muted">put back</span>
              ) : (
                <Button
                  size="sm"
                  icon={Undo2}
                  loading={undo.isPending && undo.variables.takeId === take.id}
                  onClick={() =>
                    undo.mutate(
                      { id: set.id, takeId: take.id },
                      { onSuccess: () => toast.success("Put back") },
                    )
                  }
                >
                  Put back
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

/** The regions to choose from: those of all sets, and the price rule's. */
const regionsWith = (region = "global"): Record<string, string> => ({
  ...regionNames,
  [region]: regionName(region),
});
