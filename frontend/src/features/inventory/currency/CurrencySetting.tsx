import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Preferences, profileQueries } from "@/features/profile/public";
import { currencyName } from "@/shared/lib/format";
import { ChoiceField } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { hasAmounts, previewCurrency, useChangeCurrency } from "./currency";

type Code = Preferences["currency"];

const CurrencyDialog = lazyPart(() => import("./CurrencyDialog").then((m) => m.CurrencyDialog));

/** The currency of all prices and costs. With amounts, another one asks what becomes of them. */
export function CurrencySetting() {
  const preferences = useQuery(profileQueries.preferences());
  const config = useSideQuery(profileQueries.config(), "the currencies");
  const change = useChangeCurrency();
  const [chosen, setChosen] = useState<Code | null>(null);
  const [asking, setAsking] = useState(false);
  if (preferences.isError) {
    return <ErrorState error={preferences.error} onRetry={() => preferences.refetch()} />;
  }
  if (!preferences.data) return <Loading />;
  const { currency } = preferences.data;
  const codes = (config?.currencies ?? [currency]) as readonly Code[]; // those of the account

  const choose = async (code: Code) => {
    setChosen(code);
    try {
      const found = await previewCurrency({ currency: code, rate: "" });
      if (hasAmounts(found)) setAsking(true);
      else change.mutate({ currency: code, rate: "" }, { onSettled: () => setChosen(null) });
    } catch (error) {
      setChosen(null);
      tellFailure(error);
    }
  };
  return (
    <div className="flex flex-col gap-2 border-line border-b px-4 py-3">
      <div className="flex items-center gap-2">
        <span className="font-medium">Currency</span>
        <span className="text-muted text-xs">account</span>
      </div>
      <ChoiceField
        label="Currency"
        hideLabel
        hint="Of all prices and costs. Changing it asks what happens to them."
        className="max-w-sm"
        options={codes.map((code) => ({ value: code, label: currencyName(code) }))}
        value={chosen ?? currency}
        disabled={chosen !== null}
        onChange={(value) => void choose(value)}
      />
      {asking && chosen && (
        <CurrencyDialog
          from={currency}
          to={chosen}
          onClose={() => {
            setAsking(false);
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}
