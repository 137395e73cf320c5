/** What a person is told of an error, whoever threw it. */

/** The server does not know the session any more: nothing goes until somebody signs in. */
export function isSessionOver(error: unknown): boolean {
  return (error as { status?: unknown } | null)?.status === 401;
}

/** The sentence to show: the server's own words; of exhausted retries, their cause and count. */
export function problemText(error: unknown): string {
  const attempts = (error as { totalAttempts?: number } | null)?.totalAttempts;
  if (error instanceof Error && attempts && error.cause instanceof Error) {
    return `${error.cause.message} (${attempts} attempts)`;
  }
  const text = error instanceof Error ? error.message : typeof error === "string" ? error : "";
  return text.trim() || "Something went wrong. Please try again.";
}

/** Messages by field of the form, where the server named fields. */
export function problemFields(error: unknown): Record<string, string[]> {
  const fields = (error as { fields?: unknown } | null)?.fields;
  if (typeof fields !== "object" || fields === null) return {};
  const entries = Object.entries(fields).map(
    ([name, texts]) => [name, (Array.isArray(texts) ? texts : [texts]).map(String)] as const,
  );
  return Object.fromEntries(entries);
}
