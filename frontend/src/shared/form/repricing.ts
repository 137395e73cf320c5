/** A re-pricing as people enter it and as the API takes it. apps/catalog/rules decides. */
import { optionally, priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted } from "@/shared/lib/format";
import { percentOf, whyNotPercent } from "@/shared/lib/percent";
import { type Basis, roundingBody } from "@/shared/lib/priceRule";

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
  /** The highest price, and the largest step in percent. */
  maximum: string;
  maxStep: string;
  /** Rows that keep their price. */
  leave: readonly number[];
  /** How the preview is sorted, and from which place on it is shown. */
  order: string;
  start: number;
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
  maximum: "",
  maxStep: "",
  leave: [],
  order: "-change",
  start: 0,
};

/** The error of each field, or null. Fields that are still untouched are left out. */
export function repricingProblems({ by, price, percent, minimum, maximum, maxStep }: Repricing) {
  return {
    maximum: by === "fixed" ? null : optionally(whyNotPrice)(maximum),
    maxStep: by === "rule" ? optionally(whyNotPercent)(maxStep) : null,
    price: by === "fixed" ? whyNotPrice(price) : null,
    percent: by === "fixed" || (percent === "" && by === "rule") ? null : whyNotPercent(percent),
    minimum: by === "fixed" || minimum === "" ? null : whyNotPrice(minimum),
  };
}

/** Why it cannot be sent yet, or null. */
export function whyNotReprice(values: Repricing): string | null {
  return Object.values(repricingProblems(values)).find((problem) => problem !== null) ?? null;
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

type Column = "change" | "percent" | "before" | "after";
type Order = Column | `-${Column}`;

/** The request body: `RepriceWriteRequest` of the schema, which callers compare it with. */
type RepricingBody = {
  by: RepriceBy;
  price?: string;
  percent?: string;
  basis?: Basis;
  rounding?: string;
  ending?: string;
  minimum?: string;
  maximum?: string;
  max_step?: string;
  leave?: number[];
  order?: Order;
  start?: number;
  without_data?: "keep" | "zero" | "mark";
  use_old_figures?: boolean;
};

export function repricingBody(values: Repricing): RepricingBody {
  const bounds = {
    percent: percentOf(values.percent),
    minimum: values.minimum && priceOf(values.minimum),
    maximum: values.maximum && priceOf(values.maximum),
  };
  const options: Record<RepriceBy, Record<string, string>> = {
    fixed: { price: priceOf(values.price) },
    percent: { ...bounds, ...roundingBody(values.handRounding) },
    rule: {
      ...bounds,
      ...roundingBody(values.rounding),
      max_step: percentOf(values.maxStep),
      basis: values.basis,
      without_data: values.withoutData,
    },
  };
  const given = Object.entries(options[values.by]).filter(([, value]) => value !== "");
  return {
    by: values.by,
    ...Object.fromEntries(given), // of the options of its selects
    ...(values.useOldFigures && { use_old_figures: true }),
    ...(values.leave.length > 0 && { leave: [...values.leave] }),
    ...(values.order !== FIRST_REPRICING.order && { order: values.order as Order }),
    ...(values.start > 0 && { start: values.start }),
  };
}
