import { PREFERS_DARK, setMedia } from "@/shared/testing/media";
import { startingTheme, storedTheme, storeTheme } from "./theme";

describe("the theme before the first paint", () => {
  it("follows the system for visitors, whatever is stored", () => {
    localStorage.setItem("theme", "dark");
    expect(startingTheme()).toBe("light");

    setMedia(PREFERS_DARK, true);
    localStorage.setItem("theme", "light");
    expect(startingTheme()).toBe("dark");
  });

  it("is the stored choice for who is signed in, else the system's", () => {
    localStorage.setItem("user", "{}");
    setMedia(PREFERS_DARK, true);
    expect(startingTheme()).toBe("dark");

    storeTheme("light");
    expect(startingTheme()).toBe("light");
  });
});

describe("the stored theme", () => {
  it("is exactly dark or light, without quotes", () => {
    storeTheme("dark");

    expect(localStorage.getItem("theme")).toBe("dark");
    expect(storedTheme()).toBe("dark");
  });

  it("is none where something else is stored, and after it was given up", () => {
    localStorage.setItem("theme", "blue");
    expect(storedTheme()).toBeNull();

    storeTheme("dark");
    storeTheme(null);
    expect(localStorage.getItem("theme")).toBeNull();
  });
});
