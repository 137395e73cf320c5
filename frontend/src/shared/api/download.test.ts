import { answer, installServer, refusal } from "@/shared/testing/server";
import { fetchFile } from "./download";
import { setTokens } from "./tokens";

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

const file = (disposition?: string) => {
  const headers: Record<string, string> = disposition ? { "Content-Disposition": disposition } : {};
  return new Response("<BrickStoreXML/>", { headers });
};

describe("fetchFile", () => {
  it.each<[string | undefined, string]>([
    ['attachment; filename="my store.bsx"', "my store.bsx"],
    ["attachment; filename*=UTF-8''stra%C3%9Fe.bsx", "straße.bsx"],
    [undefined, "export.bsx"],
  ])("names the file after %p", async (disposition, name) => {
    answer("GET /api/exports/1/file", () => file(disposition));

    const result = await fetchFile("exports/1/file", "export.bsx");

    expect(result.name).toBe(name);
    expect(result.content.size).toBe(16);
  });

  it("throws the envelope's error", async () => {
    answer("GET /api/exports/1/file", () => refusal(404, "NOT_FOUND", "Gone."));

    await expect(fetchFile("exports/1/file", "x")).rejects.toMatchObject({ message: "Gone." });
  });
});
