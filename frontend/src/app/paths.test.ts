import { paths, titleOf } from "./paths";

describe("titleOf", () => {
  it.each([
    ["/", "Welcome | P"],
    ["/signin", "Sign In | P"],
    ["/signup", "Sign Up | P"],
    ["/privacy", "Privacy Policy | P"],
    ["/app/home", "Home | P"],
    ["/app/api-testing", "Api Testing | P"],
    ["/app/profile", "Profile | P"],
    ["/app/catalog", "Catalog | P"],
    ["/app/batches", "Batches | P"],
    ["/app/buy-lego", "Buy Lego | P"],
    ["/app/inventory", "Inventory | P"],
    ["/app/inventory-locations", "Inventory Locations | P"],
    ["/app/sources", "Sources | P"],
    ["/app/settings", "Settings | P"],
    ["/app/store", "Store | P"],
    ["/app/stow-inventory", "Stow Inventory | P"],
    ["/app/userSets", "Sets | P"],
    ["/app/batches/", "Batches | P"],
    ["/no-such-page", "P"],
    ["/app", "P"],
  ])("of %s is %s", (path, title) => {
    expect(titleOf(path, "P")).toBe(title);
  });
});

describe("paths", () => {
  it("are these and no others", () => {
    expect(Object.values(paths)).toEqual([
      "/",
      "/signin",
      "/signup",
      "/privacy",
      "/app",
      "/app/home",
      "/app/reports",
      "/app/catalog",
      "/app/stow-inventory",
      "/app/batches",
      "/app/buy-lego",
      "/app/userSets",
      "/app/inventory",
      "/app/unknown-items",
      "/app/inventory-locations",
      "/app/sources",
      "/app/store",
      "/app/orders",
      "/app/profile",
      "/app/settings",
      "/app/api-testing",
    ]);
  });
});
