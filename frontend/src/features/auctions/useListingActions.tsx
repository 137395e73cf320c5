import {
  Boxes,
  ExternalLink,
  Eye,
  EyeOff,
  NotebookPen,
  Pencil,
  RefreshCw,
  ThumbsDown,
  Trash2,
  Truck,
  Undo2,
} from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { toast } from "@/shared/ui/toast";
import type { Listing, Worth } from "./model";
import {
  type Asked,
  type Question,
  useAsk,
  useDecide,
  useDeleteListing,
  useIsAsking,
} from "./mutations";
import { isOver } from "./rules";
import { askForAlerts } from "./useEndAlerts";

const WonDialog = lazyPart(() => import("./WonDialog").then((m) => m.WonDialog));
const DecisionDialog = lazyPart(() => import("./DecisionDialog").then((m) => m.DecisionDialog));
const ListingDrawer = lazyPart(() => import("./ListingDrawer").then((m) => m.ListingDrawer));
const ZipCodeDialog = lazyPart(() => import("./ZipCodeDialog").then((m) => m.ZipCodeDialog));
const AddListingDialog = lazyPart(() =>
  import("./AddListingDialog").then((m) => m.AddListingDialog),
);

type DialogName = "details" | "decision" | "won" | "edit" | "delete";
type Opened = { dialog: DialogName; listing: Listing; worth?: Worth | null | undefined };

export type ListingActions = ReturnType<typeof useListingActions>;

/** What can be done about listings, in cards and in the table alike, and the dialogs of it. */
export function useListingActions(canAsk: boolean) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [lacking, setLacking] = useState<Asked | null>(null);
  const asking = useAsk(setLacking);
  const isAsking = useIsAsking();
  const decide = useDecide({ tellsFailure: true });
  const takeBack = useDecide();
  const remove = useDeleteListing({ tellsFailure: true });
  const close = () => setOpened(null);

  const open = (dialog: DialogName, listing: Listing, worth?: Worth | null) =>
    setOpened({ dialog, listing, worth });
  const ask = ({ id }: Listing, question: Question) => asking.mutate({ id, question });
  const whyNotAsk = (listing: Listing, question: Question) =>
    (listing.external_id === "" && "Entered by hand: it is not at the site") ||
    (!canAsk && "The auction site is not asked by this installation") ||
    (isAsking(listing.id, question) && "The site is being asked");
  const watch = (listing: Listing, value: Listing["watch"]) => {
    if (value === "watching") askForAlerts();
    const undo = () => takeBack.mutateAsync({ listing, decisions: { watch: listing.watch } });
    decide.mutate(
      { listing, decisions: { watch: value } },
      {
        onSuccess: () => {
          if (value === "rejected")
            toast.success("Rejected: hidden from the list", {
              action: { label: "Undo", run: undo },
            });
        },
      },
    );
  };

  const removeIt = ({ id }: Listing) =>
    remove.mutate(id, {
      onSuccess: () => {
        toast.success("Removed");
        close();
      },
    });

  /** What a card has no button for. */
  const lesserEntries = (listing: Listing): MenuEntry[] => [
    ...(listing.origin === "entered"
      ? [
          {
            id: "edit",
            label: "Edit…",
            icon: Pencil,
            run: () => open("edit", listing),
          },
        ]
      : []),
    listing.watch === "rejected"
      ? {
          id: "restore",
          label: "Undo the rejection",
          icon: <Undo2 aria-hidden="true" className="size-4" />,
          run: () => watch(listing, ""),
        }
      : {
          id: "reject",
          label: "Reject",
          icon: ThumbsDown,
          run: () => watch(listing, "rejected"),
        },
    {
      id: "delete",
      label: "Remove from my list…",
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      danger: true,
      disabledReason:
        listing.external_id !== "" &&
        listing.watch !== "rejected" &&
        "Reject it: a search would find it again",
      run: () => open("delete", listing),
    },
  ];
  const entriesOf = (listing: Listing, worth: Worth | null, now: number): MenuEntry[] => [
    {
      id: "refresh",
      label: "Refresh",
      icon: RefreshCw,
      disabledReason: whyNotAsk(listing, "refresh"),
      run: () => ask(listing, "refresh"),
    },
    {
      id: "shipping",
      label: "Calculate shipping",
      icon: Truck,
      disabledReason: whyNotAsk(listing, "shipping"),
      run: () => ask(listing, "shipping"),
    },
    listing.watch === "watching"
      ? {
          id: "unwatch",
          label: "Stop watching",
          icon: EyeOff,
          run: () => watch(listing, ""),
        }
      : {
          id: "watch",
          label: "Watch",
          icon: Eye,
          run: () => watch(listing, "watching"),
        },
    {
      id: "decide",
      label: "My bid and note…",
      icon: NotebookPen,
      run: () => open("decision", listing, worth),
    },
    {
      id: "won",
      label: "Won: make a batch…",
      icon: Boxes,
      disabledReason:
        (listing.batch_id !== null && "Its batch is there") ||
        (!isOver(listing, now) && "It has not ended yet"),
      run: () => open("won", listing),
    },
    {
      id: "open",
      label: "Open listing",
      icon: ExternalLink,
      disabledReason: listing.listing_url === "" && "It has no link",
      run: () => window.open(listing.listing_url, "_blank", "noopener,noreferrer"),
    },
    "separator",
    ...lesserEntries(listing),
  ];

  const dialogs = (
    <>
      {lacking && (
        <ZipCodeDialog onSaved={() => asking.mutate(lacking)} onClose={() => setLacking(null)} />
      )}
      {opened?.dialog === "details" && (
        <ListingDrawer
          listing={opened.listing}
          worth={opened.worth ?? undefined}
          isAsking={(question) => isAsking(opened.listing.id, question)}
          whyNotAsk={(question) => whyNotAsk(opened.listing, question)}
          onAsk={(question) => ask(opened.listing, question)}
          onDecide={() => setOpened({ ...opened, dialog: "decision" })}
          onClose={close}
        />
      )}
      {opened?.dialog === "decision" && (
        <DecisionDialog
          listing={opened.listing}
          worth={opened.worth ?? undefined}
          onClose={close}
        />
      )}
      {opened?.dialog === "won" && <WonDialog listing={opened.listing} onClose={close} />}
      {opened?.dialog === "delete" && (
        <ConfirmDialog
          open
          danger
          title={`Remove ${opened.listing.title}?`}
          confirmLabel="Remove"
          running={remove.isPending}
          onConfirm={() => removeIt(opened.listing)}
          onClose={close}
        >
          Your bids and note about it go with it. This cannot be undone.
        </ConfirmDialog>
      )}
      {opened?.dialog === "edit" && (
        <AddListingDialog listing={opened.listing} canAsk={canAsk} onClose={close} />
      )}
    </>
  );
  return { open, ask, isAsking, whyNotAsk, watch, entriesOf, lesserEntries, dialogs };
}
