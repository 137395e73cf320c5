/** A re-pricing as people enter it and as the API takes it. apps/catalog/rules decides. */
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted } from "@/shared/lib/format";
import { percentOf, whyNotPercent } from "@/shared/lib/percent";

export type RepriceBy = "rule" | "percent" | "fixed";

/** Empty fields of the rule use the person's settings. */
export type Repricing = {
  by: RepriceBy;
  price: string;
  percent: string;
  basis: string;
  rounding: string;
  /** The rounding where no rule is used. */
  handRounding: string;
  minimum: string;
  withoutData: string;
  /** Not to wait for newer figures. */
  useOldFigures: boolean;
};

export const FIRST_REPRICING: Repricing = {
  by: "rule",
  price: "",
  percent: "",
  basis: "",
  rounding: "",
  handRounding: "0.01",
  minimum: "",
  withoutData: "",
  useOldFigures: false,
};

/** The error of each field, or null. Fields that are still untouched are left out. */
export function repricingProblems({ by, price, percent, minimum }: Repricing) {
  return {
    price: by === "fixed" ? whyNotPrice(price) : null,
    percent: by === "fixed" || (percent === "" && by === "rule") ? null : whyNotPercent(percent),
    minimum: by === "fixed" || minimum === "" ? null : whyNotPrice(minimum),
  };
}

/** Why it cannot be sent yet, or null. */
export function whyNotReprice(values: Repricing): string | null {
  const { price, percent, minimum } = repricingProblems(values);
  return price ?? percent ?? minimum;
}

/** Why a re-pricing waits or would change nothing; false where it can be done. */
export function whyNotYet(
  values: Repricing,
  told: { changed: number; without_figures: number; being_fetched: number },
): string | false {
  if (told.being_fetched > 0 && !values.useOldFigures) {
    return "Newer market figures are being fetched";
  }
  if (told.changed > 0) return false;
  return told.without_figures > 0
    ? `Nothing would change: ${counted(told.without_figures, "row")} without market figures`
    : "Nothing would change: each row has this price already";
}

/** The request body: `RepriceWriteRequest` of the schema, which callers compare it with. */
type RepricingBody = {
  by: RepriceBy;
  price?: string;
  percent?: string;
  basis?: "reference" | "sold" | "asked" | "lowest";
  rounding?: string;
  minimum?: string;
  without_data?: "keep" | "zero" | "mark";
  use_old_figures?: boolean;
};

export function repricingBody(values: Repricing): RepricingBody {
  const bounds = {
    percent: percentOf(values.percent),
    minimum: values.minimum && priceOf(values.minimum),
  };
  const options: Record<RepriceBy, Record<string, string>> = {
    fixed: { price: priceOf(values.price) },
    percent: { ...bounds, rounding: values.handRounding },
    rule: {
      ...bounds,
      rounding: values.rounding,
      basis: values.basis,
      without_data: values.withoutData,
    },
  };
  const given = Object.entries(options[values.by]).filter(([, value]) => value !== "");
  return {
    by: values.by,
    ...Object.fromEntries(given), // of the options of its selects
    ...(values.useOldFigures && { use_old_figures: true }),
  };
}
