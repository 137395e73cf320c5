import { PREFERS_DARK, setMedia } from "@/shared/testing/media";
import { applyTheme, startingTheme, storedTheme, storeTheme } from "./theme";

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

it("colours what the browser draws around the app like the app", () => {
  document.head.innerHTML = `<meta name="theme-color" data-for="light" media="(prefers-color-scheme: light)">
    <meta name="theme-color" data-for="dark" media="(prefers-color-scheme: dark)">`;

  applyTheme("dark");

  const metas = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
  expect(metas.map(({ media }) => media)).toEqual(["not all", "all"]);
  document.head.innerHTML = "";
});
