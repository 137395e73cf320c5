import { apiAddress, apiPath } from "./address";

describe("apiPath", () => {
  it.each(["batches", "/batches", "api/batches", "/api/batches"])(
    "prefixes %s once",
    (endpoint) => {
      expect(apiPath(endpoint)).toBe("/api/batches");
    },
  );

  it("does not take a name that only begins with api for the prefix", () => {
    expect(apiPath("apiKeys")).toBe("/api/apiKeys");
  });
});

describe("apiAddress", () => {
  it("is on the page's own origin", () => {
    expect(apiAddress("batches")).toBe("http://localhost/api/batches");
  });

  it("is on the host that the server names", () => {
    document.head.innerHTML = '<meta name="api-host" content="https://api.example">';

    expect(apiAddress("batches")).toBe("https://api.example/api/batches");

    document.head.innerHTML = "";
  });

  it("writes params into the query and leaves out what is not there", () => {
    const address = apiAddress("batches", { page: 2, search: "a b", none: null, not: undefined });

    expect(address).toBe("http://localhost/api/batches?page=2&search=a+b");
  });

  it("repeats the name for each entry of a list", () => {
    expect(apiAddress("catalogLots", { item: [1, 2] })).toMatch(/\?item=1&item=2$/);
  });
});
