import { Store } from "lucide-react";
import { useState } from "react";
import { actIn, useUser } from "@/features/auth/public";
import { problemText } from "@/shared/lib/problem";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { toast } from "@/shared/ui/toast";
import { Dropdown } from "./Dropdown";

/** The store that the person acts in, and the way to his others. */
export function StoreSwitch(props: {
  className: string;
  open: boolean;
  onToggle: () => void;
  onClose: () => void;
  isUnsaved: () => boolean;
}) {
  const { className, isUnsaved, ...dropdown } = props;
  const user = useUser();
  const [asked, setAsked] = useState<number | null>(null);
  const others = (user?.stores ?? []).filter(({ id }) => id !== user?.store?.id);
  const choose = (store: number) => {
    if (isUnsaved()) setAsked(store);
    else void goTo(store);
  };
  return (
    <>
      <Dropdown
        {...dropdown}
        label="Store"
        trigger={
          <>
            <Store aria-hidden="true" className="size-4 shrink-0" />
            <span className="max-w-20 truncate sm:max-w-40">{user?.store?.name}</span>
          </>
        }
        triggerClass={className}
        entries={others.map(({ id, name, role }) => ({
          label: `${name} (${role === "owner" ? "your own" : role})`,
          action: id,
        }))}
        onAction={(store) => typeof store === "number" && choose(store)}
      />
      <ConfirmDialog
        open={asked !== null}
        title="Go to the other store?"
        confirmLabel="Go there"
        onConfirm={() => void goTo(Number(asked))}
        onClose={() => setAsked(null)}
      >
        Unsaved typing is lost. Changes that were not sent stay on this computer until you come back
        to this store.
      </ConfirmDialog>
    </>
  );
}

async function goTo(store: number): Promise<void> {
  try {
    await actIn(store);
  } catch (error) {
    toast.error("The store cannot be opened", { detail: problemText(error) });
  }
}
