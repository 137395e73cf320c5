import { QueryClientProvider, useMutation } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { useKeepLost, useLost } from "./lost";
import { WORK } from "./work";

const KEPT = `${PERSONAL}lostOperations`;

function lose() {
  const client = newQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const stow = () => {
    useKeepLost();
    const lost = useLost(7);
    const { mutate } = useMutation({
      mutationKey: [WORK, 7],
      mutationFn: (_: { kind: "stow" }) => Promise.reject(new Error("Gone.")),
    });
    return { lost, mutate };
  };
  const { result } = renderHook(stow, { wrapper });
  act(() => result.current.mutate({ kind: "stow" }));
  return waitFor(() => expect(result.current.lost).toHaveLength(1));
}

afterEach(() => jest.restoreAllMocks());

describe("operations that are lost", () => {
  it("are kept although the kept value is none of ours", async () => {
    setSetting(KEPT, { a: 1 });

    await lose();

    expect(getSetting(KEPT)).toEqual([expect.objectContaining({ batchId: 7, kind: "stow" })]);
  });

  it("are told where the browser's storage is full", async () => {
    const full = jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });

    await lose();

    expect(full).toHaveBeenCalledWith(expect.stringContaining(KEPT), expect.anything());
  });

  it("are looked for once, when they are lost", async () => {
    const read = jest.spyOn(Storage.prototype, "setItem");

    await lose();

    expect(read.mock.calls.filter(([name]) => name.includes(KEPT))).toHaveLength(1);
  });
});
