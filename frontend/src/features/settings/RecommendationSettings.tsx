import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type Preferences, profileQueries, useSavePreferences } from "@/features/profile/public";
import { TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { wholeOf, whyNotWhole } from "@/shared/lib/amounts";
import { Button } from "@/shared/ui/Button";
import { Loaded, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";

export function RecommendationSettings() {
  const preferences = useQuery(profileQueries.preferences());
  return <Loaded query={preferences}>{(read) => <LastSoldForm preferences={read} />}</Loaded>;
}

const days = z.string().check(fits((text) => whyNotWhole(text, 1, 3650)));
const schema = z.object({ recent: days, moderate: days }).check(
  z.refine(({ recent, moderate }) => wholeOf(recent) < wholeOf(moderate), {
    path: ["moderate"],
    message: "More days than for recent.",
  }),
);

/** From when on a sale counts as moderate or old; the stow page shows it on each destination. */
function LastSoldForm({ preferences }: { preferences: Preferences }) {
  const save = useSavePreferences();
  const form = useZodForm({
    schema,
    defaultValues: {
      recent: String(preferences.last_sold_recent_days),
      moderate: String(preferences.last_sold_moderate_days),
    },
    onSubmit: async ({ recent, moderate }) => {
      await save.mutateAsync({
        last_sold_recent_days: wholeOf(recent),
        last_sold_moderate_days: wholeOf(moderate),
      });
      toast.success("Settings saved");
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-3 px-4 py-3">
      <div className="flex items-center gap-2">
        <span className="font-medium">Last sold</span>
        <span className="text-muted text-xs">account</span>
      </div>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="flex flex-wrap items-start gap-4">
        <TextField form={form} name="recent" label="Recent up to (days)" numeric className="w-44" />
        <TextField
          form={form}
          name="moderate"
          label="Moderate up to (days)"
          hint="Longer ago is old."
          numeric
          className="w-44"
        />
        <Button type="submit" loading={save.isPending} className="sm:mt-5.5">
          Save
        </Button>
      </div>
    </form>
  );
}
