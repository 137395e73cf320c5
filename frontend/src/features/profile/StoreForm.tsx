import { Card } from "@/shared/ui/Card";
import { Field, Select } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { toast } from "@/shared/ui/toast";
import { useSavePreferences } from "./mutations";
import { type Preferences, profileQueries } from "./queries";

/** The currency of the store: one, for all prices and costs. */
export function StoreForm({ preferences }: { preferences: Preferences }) {
  const config = useSideQuery(profileQueries.config(), "the currencies");
  const save = useSavePreferences({ tellsFailure: true });
  const codes = config?.currencies ?? [preferences.currency];
  const choose = (code: string) => {
    const currency = code as Preferences["currency"]; // one of the codes that the server lists
    save.mutate(
      { currency },
      {
        onSuccess: () => toast.success(`Prices are in ${currency} now`),
      },
    );
  };
  return (
    <Card title="Store">
      <Field
        label="Currency"
        hint="Changing it relabels prices; amounts are not converted."
        className="max-w-xs"
      >
        <Select
          options={codes.map((code) => ({ value: code, label: nameOf(code) }))}
          value={save.variables?.currency ?? preferences.currency}
          disabled={save.isPending}
          onChange={({ target }) => choose(target.value)}
        />
      </Field>
    </Card>
  );
}

const names = new Intl.DisplayNames("en", { type: "currency" });
const nameOf = (code: string) => `${code} – ${names.of(code) ?? code}`;
