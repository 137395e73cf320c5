import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatAgo, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { AuctionSite } from "./model";
import { useDeleteSearch, useEditSearch, useSaveSearch, useSetTax } from "./mutations";
import { auctionQueries } from "./queries";

/** The saved searches, and the tax that makes the landed cost. */
export function SearchesDialog(props: {
  site: AuctionSite;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { site, onSaved, onClose } = props;
  const { data, error, isPending, refetch } = useQuery(auctionQueries.searches());
  const [text, setText] = useState("");
  const save = useSaveSearch();
  const edit = useEditSearch();
  const remove = useDeleteSearch();
  const add = (event: React.FormEvent) => {
    event.preventDefault();
    save.mutate(text.trim(), {
      onSuccess: () => {
        setText("");
        onSaved();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Saved searches"
      description={`Each refresh asks ${site.name} for these among its building toys.`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <form onSubmit={add} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <Field label="New search" error={save.isError ? problemText(save.error) : undefined}>
              <Input
                autoFocus
                maxLength={100}
                placeholder="lego bulk"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            </Field>
          </div>
          <Button
            type="submit"
            loading={save.isPending}
            disabledReason={text.trim() === "" && "Type the words to look for"}
          >
            Save search
          </Button>
        </form>
        {isPending && <Loading />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState title="No saved searches">
            Words such as “lego bulk” find most lots.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {data.map((search) => (
              <li key={search.id} className="flex flex-wrap items-center gap-3 py-2">
                <div className="min-w-40 flex-1">
                  <Switch
                    label={search.text}
                    checked={search.is_active}
                    onChange={(is_active) => edit.mutate({ id: search.id, is_active })}
                    hint={
                      search.problem ||
                      (search.runAt
                        ? `${formatCount(search.found_count)} found ${formatAgo(search.runAt, Date.now())}`
                        : "Not run yet")
                    }
                  />
                </div>
                <DestructiveButton
                  size="sm"
                  variant="ghost"
                  action={{
                    label: `Delete ${search.text}`,
                    done: "Search deleted",
                    run: () => remove.mutateAsync(search.id),
                    undo: () => save.mutateAsync(search.text),
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        <Tax site={site} />
      </div>
    </Dialog>
  );
}

function Tax({ site }: { site: AuctionSite }) {
  const [text, setText] = useState(String(Number(site.tax_percent)));
  const set = useSetTax();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    set.mutate(text.replace(",", "."), { onSuccess: () => toast.success("Tax saved") });
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-line border-t pt-4">
      <div className="w-40">
        <Field
          label="Sales tax in percent"
          error={set.isError ? problemText(set.error) : undefined}
        >
          <Input numeric value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </div>
      <Button
        type="submit"
        loading={set.isPending}
        disabledReason={!/^\d{1,2}([.,]\d{1,3})?$/.test(text.trim()) && "A percentage such as 7.25"}
      >
        Save tax
      </Button>
    </form>
  );
}
