import { useMutation } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";

type Meta = NonNullable<Parameters<typeof useMutation>[0]["meta"]>;

function Page({ meta, reason }: { meta: Meta | undefined; reason: string }) {
  const save = useMutation({
    meta,
    mutationFn: (_wanted: number) => Promise.reject(new Error(reason)),
  });
  return (
    <button type="button" onClick={() => save.mutate(7)}>
      {save.isError ? "Failed" : "Save"}
    </button>
  );
}

async function failing(meta?: Meta) {
  const { user } = renderPage(<Page meta={meta} reason="The bin is full." />);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("button", { name: "Failed" });
}

describe("a mutation that fails", () => {
  it.each([
    [true, "The bin is full."],
    ["Send again", "Send again: The bin is full."],
    [(error: Error) => error.message === "The bin is full.", "The bin is full."],
    [(_error: Error, wanted: number) => `Number ${wanted}`, "Number 7: The bin is full."],
  ])("is told as its meta asks: %s", async (tellsFailure, words) => {
    await failing({ tellsFailure });

    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it.each([undefined, {}, { tellsFailure: () => false }])("is not told with %s", async (meta) => {
    await failing(meta);

    expect(screen.queryByText("The bin is full.")).not.toBeInTheDocument();
  });
});
