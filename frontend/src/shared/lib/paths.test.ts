import { paths, pathTo, titleOf } from "./paths";

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

describe("pathTo", () => {
  it("says what is shown, in the order given, and leaves out what is not known", () => {
    expect(pathTo("batches", { batch: 4, listing: null, sync: 9 })).toBe(
      "/app/batches?batch=4&sync=9",
    );
    expect(pathTo("orders", { order: undefined })).toBe("/app/orders");
  });

  it("encodes what an address may not hold, but for the colon of an item", () => {
    expect(pathTo("catalog", { item: "PART:3 & 1" })).toBe("/app/catalog?item=PART:3%20%26%201");
  });

  it("leads to a part of the page", () => {
    expect(pathTo("settings", { connect: 1 }, "integrations")).toBe(
      "/app/settings?connect=1#integrations",
    );
  });
});

describe("paths", () => {
  it("are these and no others", () => {
    expect(Object.values(paths)).toEqual([
      "/",
      "/signin",
      "/signup",
      "/privacy",
      "/join",
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
