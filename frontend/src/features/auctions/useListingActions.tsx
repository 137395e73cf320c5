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
type ListingDialog = { dialog: DialogName; listing: Listing; worth?: Worth | null | undefined };

export type ListingActions = ReturnType<typeof useListingActions>;

/** What can be done about listings, in cards and in the table alike, and the dialogs of it. */
export function useListingActions(canAsk: boolean) {
  const [opened, setOpened] = useState<ListingDialog | null>(null);
  const [lacking, setLacking] = useState<Asked | null>(null);
  const asking = useAsk(setLacking);
  const isAsking = useIsAsking();
  const watch = useWatch();

  const open = (dialog: DialogName, listing: Listing, worth?: Worth | null) =>
    setOpened({ dialog, listing, worth });
  const ask = ({ id }: Listing, question: Question) => asking.mutate({ id, question });
  const whyNotAsk = (listing: Listing, question: Question) =>
    (listing.external_id === "" && "Entered by hand: it is not at the site") ||
    (!canAsk && "Not connected to the auction site") ||
    (isAsking(listing.id, question) && "Asking the site");
  const acts = { open, ask, isAsking, whyNotAsk, watch };

  return {
    ...acts,
    entriesOf: (listing: Listing, worth: Worth | null, now: number) =>
      entriesOf(acts, listing, worth, now),
    lesserEntries: (listing: Listing) => lesserEntries(acts, listing),
    dialogs: (
      <>
        {lacking && (
          <ZipCodeDialog onSaved={() => asking.mutate(lacking)} onClose={() => setLacking(null)} />
        )}
        {opened && <Dialogs {...{ acts, opened, canAsk }} onClose={() => setOpened(null)} />}
      </>
    ),
  };
}

type Acts = {
  open: (dialog: DialogName, listing: Listing, worth?: Worth | null) => void;
  ask: (listing: Listing, question: Question) => void;
  isAsking: (id: number, question: Question) => boolean;
  whyNotAsk: (listing: Listing, question: Question) => string | false;
  watch: (listing: Listing, value: Listing["watch"]) => void;
};

/** Watches a listing, rejects it, or neither. A rejection is undone from its toast. */
function useWatch() {
  const decide = useDecide({ tellsFailure: true });
  const takeBack = useDecide();
  return (listing: Listing, value: Listing["watch"]) => {
    if (value === "watching") askForAlerts();
    const run = () => takeBack.mutateAsync({ listing, decisions: { watch: listing.watch } });
    const told = () => {
      if (value !== "rejected") return;
      toast.success("Rejected: hidden from the list", { action: { label: "Undo", run } });
    };
    decide.mutate({ listing, decisions: { watch: value } }, { onSuccess: told });
  };
}

/** What a card has no button for. */
function lesserEntries({ open, watch }: Acts, listing: Listing): MenuEntry[] {
  const { watch: watched } = listing;
  const edit = { id: "edit", label: "Edit…", icon: Pencil, run: () => open("edit", listing) };
  return [
    ...(listing.origin === "entered" ? [edit] : []),
    watched === "rejected"
      ? {
          id: "restore",
          label: "Undo the rejection",
          icon: Undo2,
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
      icon: Trash2,
      danger: true,
      disabledReason:
        listing.external_id !== "" &&
        watched !== "rejected" &&
        "Use Reject: a search would find it again",
      run: () => open("delete", listing),
    },
  ];
}

function entriesOf(acts: Acts, listing: Listing, worth: Worth | null, now: number): MenuEntry[] {
  const { open, ask, whyNotAsk, watch } = acts;
  return [
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
      ? { id: "unwatch", label: "Stop watching", icon: EyeOff, run: () => watch(listing, "") }
      : { id: "watch", label: "Watch", icon: Eye, run: () => watch(listing, "watching") },
    {
      id: "decide",
      label: "My bid and note…",
      icon: NotebookPen,
      run: () => open("decision", listing, worth),
    },
    {
      id: "won",
      label: "Won: create a batch…",
      icon: Boxes,
      disabledReason:
        (listing.batch_id !== null && "It has a batch already") ||
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
    ...lesserEntries(acts, listing),
  ];
}

function Dialogs(props: {
  acts: Acts;
  opened: ListingDialog;
  canAsk: boolean;
  onClose: () => void;
}) {
  const { acts, opened, canAsk, onClose } = props;
  const { listing, worth } = opened;
  switch (opened.dialog) {
    case "details":
      return (
        <ListingDrawer
          listing={listing}
          worth={worth ?? undefined}
          isAsking={(question) => acts.isAsking(listing.id, question)}
          whyNotAsk={(question) => acts.whyNotAsk(listing, question)}
          onAsk={(question) => acts.ask(listing, question)}
          onDecide={() => acts.open("decision", listing, worth)}
          onClose={onClose}
        />
      );
    case "decision":
      return <DecisionDialog listing={listing} worth={worth ?? undefined} onClose={onClose} />;
    case "won":
      return <WonDialog listing={listing} onClose={onClose} />;
    case "delete":
      return <RemoveListing listing={listing} onClose={onClose} />;
    case "edit":
      return <AddListingDialog listing={listing} canAsk={canAsk} onClose={onClose} />;
  }
}

function RemoveListing({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const remove = useDeleteListing({ tellsFailure: true });
  const removed = () => {
    toast.success("Removed");
    onClose();
  };
  return (
    <ConfirmDialog
      danger
      title={`Remove ${listing.title}?`}
      confirmLabel="Remove"
      running={remove.isPending}
      onConfirm={() => remove.mutate(listing.id, { onSuccess: removed })}
      onClose={onClose}
    >
      Your bids and your note are deleted too. This cannot be undone.
    </ConfirmDialog>
  );
}
