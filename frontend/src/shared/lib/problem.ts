/** Turns any error into a text for people. */
import { isRecord, memberOf } from "./records";

/** The session has expired: no request succeeds until the person signs in. */
export function isSessionOver(error: unknown): boolean {
  return memberOf(error, "status") === 401;
}

const SESSION_ENDED = "Your session has ended. Sign in again to continue; what you typed is kept.";
const UNNAMED = "API request failed"; // the API's text for an answer without a message
const SILENT_SERVER =
  "The server does not answer properly at the moment. Please try again in a minute.";
const TOO_MANY = "Too many requests in a short time. Please wait a minute and try again.";
const NO_REASON = "The server refused this without a reason. Please reload the page and try again.";

/**
 * The sentence to show: the server's message; after the last retry, its cause and the number of
 * attempts.
 */
export function problemText(error: unknown): string {
  const totalAttempts = memberOf(error, "totalAttempts");
  if (error instanceof Error && totalAttempts && error.cause instanceof Error) {
    return `${sentenceOf(error.cause)} (${totalAttempts} attempts)`;
  }
  return sentenceOf(error);
}

function sentenceOf(error: unknown): string {
  const failure = memberOf(error, "failure");
  const text = error instanceof Error ? error.message : typeof error === "string" ? error : "";
  if (isSessionOver(error) && memberOf(error, "code") === "NOT_AUTHENTICATED") return SESSION_ENDED;
  if (text === UNNAMED && failure === "server") return SILENT_SERVER;
  if (text === UNNAMED && failure === "rateLimit") return TOO_MANY;
  if (text === UNNAMED) return NO_REASON;
  return withLabel(text.trim()) || "Something went wrong. Please try again.";
}

/** Names of fields in forms, where they differ from the API's names. */
const LABELS: Record<string, string> = {
  email_address: "E-mail address",
  current_password: "Present password",
  zip_code: "ZIP code",
  qty: "Quantity",
  qty_on_hand: "Quantity on hand",
  color_id: "Colour",
  color_name: "Colour",
  location_id: "Bin",
  location_name: "Bin",
  user_inventory_item_location_id: "Bin",
  user_inventory_item_location_name: "Bin",
  inventory_container_type_id: "Container type",
  cost_total: "Cost",
};

/** The server's "field: message" with the field's name for people. */
export function withLabel(text: string): string {
  return text.replace(/^([a-z][\w.]*): (?=\S)/, (_match, path: string) => `${labelOf(path)}: `);
}

/** "update.3.qty" is "Row 4, quantity". */
function labelOf(path: string): string {
  const steps = path.split(".");
  const row = steps.find((step) => /^\d+$/.test(step));
  const name = steps.findLast((step) => !/^\d+$/.test(step)) ?? path;
  const words = name
    .replace(/_id$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  const label = LABELS[name] ?? words;
  if (row === undefined) return label.charAt(0).toUpperCase() + label.slice(1);
  const isLast = steps.at(-1) === row;
  return `Row ${Number(row) + 1}${isLast ? "" : `, ${label.toLowerCase()}`}`;
}

/** Messages by field of the form, where the server named fields. */
export function problemFields(error: unknown): Record<string, string[]> {
  const fields = memberOf(error, "fields");
  if (!isRecord(fields)) return {};
  const entries = Object.entries(fields).map(
    ([name, texts]) => [name, (Array.isArray(texts) ? texts : [texts]).map(String)] as const,
  );
  return Object.fromEntries(entries);
}
