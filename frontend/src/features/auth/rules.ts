/** What the forms check before they send. The server decides (apps/accounts/services/users.py). */
import * as z from "zod/mini";

export const emailRule = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, "Enter your e-mail address."),
    z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "This is not an e-mail address."),
  );

const MIN_PASSWORD = 8;

export const newPasswordRule = z.string().check(
  z.minLength(MIN_PASSWORD, `Use at least ${MIN_PASSWORD} characters.`),
  z.refine((text) => !/^\d+$/.test(text), "Use more than digits."),
  z.refine((text) => new Set(text).size >= 4, "Use more different characters."),
);

export const strengthNames = ["too weak", "weak", "fair", "good", "strong"] as const;

/** 0 (would be refused) to 4, from length and kinds of characters. An aid, not the judge. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  if (!newPasswordRule.safeParse(password).success) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/].filter((kind) => kind.test(password)).length;
  const points = (password.length >= 12 ? 1 : 0) + (password.length >= 16 ? 1 : 0) + kinds;
  if (points >= 5) return 4;
  if (points >= 4) return 3;
  return points >= 2 ? 2 : 1;
}
