import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDecimal, numberOf } from "@/shared/lib/amounts";
import { formatAgo, formatCount } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import type { AuctionSite } from "./model";
import { useDeleteSearch, useEditSearch, useSaveSearch, useSetBuyerOptions } from "./mutations";
import { auctionQueries, LISTINGS } from "./queries";

/** The saved searches, and what makes the landed cost and the sensible bid. */
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
      onClose={onClose}
      title="Saved searches"
      description={`Each refresh asks ${site.name} for these among its building toys.`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-5">
        <form onSubmit={add} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <InputField
              label="New search"
              error={save.isError ? problemText(save.error) : undefined}
              autoFocus
              maxLength={100}
              placeholder="lego bulk"
              value={text}
              onChange={setText}
            />
          </div>
          <Button
            type="submit"
            loading={save.isPending}
            disabledReason={text.trim() === "" && "Type the words to search for"}
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
        <Costs site={site} />
      </div>
    </Dialog>
  );
}

/** What buying and selling cost beside the site's prices: landed costs and sensible bids follow. */
function Costs({ site }: { site: AuctionSite }) {
  const [tax, setTax] = useState(numberText(site.tax_percent));
  const [fees, setFees] = useState(numberText(site.fee_percent));
  const [rate, setRate] = useState(numberText(site.hourly_rate));
  const set = useSetBuyerOptions();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const [tax_percent, fee_percent, hourly_rate] = [numberOf(tax), numberOf(fees), numberOf(rate)];
    const before = {
      tax_percent: site.tax_percent,
      fee_percent: site.fee_percent,
      hourly_rate: site.hourly_rate,
    };
    const tell = async () => {
      const { tellAct } = await import("@/shared/table/editing/tellAct");
      await tellAct({
        table: LISTINGS,
        label: "Change the costs",
        words: "Costs saved",
        takeBack: async () => {
          await set.mutateAsync(before);
          setTax(numberText(before.tax_percent));
          setFees(numberText(before.fee_percent));
          setRate(numberText(before.hourly_rate));
          return "Costs restored";
        },
      });
    };
    set.mutate({ tax_percent, fee_percent, hourly_rate }, { onSuccess: tell });
  };
  const whyNot =
    (!isDecimal(tax, 2, 3) && "Sales tax: a percentage such as 7.25") ||
    (!isDecimal(fees, 2, 3) && "Fees: a percentage such as 6") ||
    (!isDecimal(rate, 4, 2) && "An hour: dollars such as 15, or 0 for nothing");
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-line border-t pt-4">
      <h3 className="font-medium text-sm">What I pay and what my work is worth</h3>
      <div className="grid gap-3 sm:grid-cols-3">
        <InputField
          label="Sales tax in percent"
          hint="On price, shipping and handling."
          numeric
          value={tax}
          onChange={setTax}
        />
        <InputField
          label="Selling fees in percent"
          hint="Marketplace and payment."
          numeric
          value={fees}
          onChange={setFees}
        />
        <InputField
          label="An hour of mine in dollars"
          hint="0: your time is not counted."
          numeric
          value={rate}
          onChange={setRate}
        />
      </div>
      {set.isError && (
        <p role="alert" className="text-danger text-sm">
          {problemText(set.error)}
        </p>
      )}
      <Button type="submit" className="self-start" loading={set.isPending} disabledReason={whyNot}>
        Save costs
      </Button>
    </form>
  );
}
