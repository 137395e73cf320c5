/** What the forms check by themselves. How weak a password may be, the server says (weakness.ts). */
import * as z from "zod/mini";

export const emailRule = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, "Enter your e-mail address."),
    z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "This is not an e-mail address."),
  );

export const newPasswordRule = z.string().check(z.minLength(1, "Choose a password."));

export const strengthNames = ["too weak", "weak", "fair", "good", "strong"] as const;

/** 1 to 4, from length and kinds of characters. An aid, not the judge. */
export function passwordStrength(password: string): 1 | 2 | 3 | 4 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/].filter((kind) => kind.test(password)).length;
  const points = (password.length >= 12 ? 1 : 0) + (password.length >= 16 ? 1 : 0) + kinds;
  if (points >= 5) return 4;
  if (points >= 4) return 3;
  return points >= 2 && password.length >= 8 ? 2 : 1;
}
