import { emailRule, newPasswordRule, passwordStrength } from "./rules";

describe("passwordStrength", () => {
  it.each([
    ["short", 1],
    ["12345678901", 1],
    ["aaaaaaaa", 1],
    ["Short1", 1],
    ["bricksandmore", 2],
    ["Brick-by-brick-9", 4],
  ])("of %p is %d", (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});

describe("the rules", () => {
  it("say what is wrong", () => {
    expect(newPasswordRule.safeParse("").error?.issues[0]?.message).toBe("Choose a password.");
    expect(emailRule.safeParse("ann@").error?.issues[0]?.message).toBe(
      "This is not an e-mail address.",
    );
    expect(emailRule.parse(" ann@example.com ")).toBe("ann@example.com");
  });
});
