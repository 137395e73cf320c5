import { emailRule, newPasswordRule, passwordStrength } from "./rules";

describe("passwordStrength", () => {
  it.each([
    ["", 0],
    ["short", 0],
    ["12345678901", 0],
    ["aaaaaaaa", 0],
    ["bricksandmore", 2],
    ["Brick-by-brick-9", 4],
  ])("of %p is %d", (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});

describe("the rules", () => {
  it("say what is wrong", () => {
    expect(newPasswordRule.safeParse("abc").error?.issues[0]?.message).toBe(
      "Use at least 8 characters.",
    );
    expect(emailRule.safeParse("ann@").error?.issues[0]?.message).toBe(
      "This is not an e-mail address.",
    );
    expect(emailRule.parse(" ann@example.com ")).toBe("ann@example.com");
  });
});
