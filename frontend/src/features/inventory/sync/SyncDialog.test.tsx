import { screen, waitFor, within } from "@testing-library/react";
import { STOCK } from "@/shared/lib/tags";
import { renderPage } from "@/shared/testing/app";
import { emptyHome } from "@/shared/testing/emptyHome";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { aBinGroup, aSync, aSyncRow } from "../testing/builders";
import type { InventorySync } from "./model";
import { SyncDialog } from "./SyncDialog";

const job = {
  id: "7f0c9d7e-0000-4000-8000-000000000001",
  kind: "inventory.sync_bsx",
  state: "running",
  done: 4,
  total: 10,
  message: "Importing",
  failed: [] as { error: string; context: string }[],
  failed_count: 0,
  result: {},
  cancel_requested: false,
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z",
};
const applying = aSync({ state: "applying", job_id: job.id });

function show(sync: InventorySync) {
  answer("GET /api/inventorySyncs/5", () => ok([sync]));
  const onClose = jest.fn();
  return { ...renderPage(<SyncDialog id={5} onClose={onClose} />), onClose };
}

beforeEach(() => {
  installServer();
  answer("GET /api/inventorySyncs/5/rows", () => page([aSyncRow()]));
  answer("GET /api/inventorySyncs/5/binGroups", () =>
    ok([
      aBinGroup({ is_series: true }, "A-01", "A-02"),
      aBinGroup({ doubt: "color" }, "Red"),
      aBinGroup({ doubt: "sentence", pattern: "in *" }, "in box 3"),
    ]),
  );
  answer(`GET /api/jobs/${job.id}`, () => ok([job]));
  answer("POST /api/inventorySyncs/5/apply", () => ok([applying]));
});

describe("the sync warning dialog", () => {
  it("tells all that would happen, field by field, before anything does", async () => {
    answer("GET /api/inventorySyncs/5/rows", () =>
      page([aSyncRow({ changes: { quantity: { before: 4, after: 9 } } })]),
    );
    show(aSync());

    const dialog = within(await screen.findByRole("dialog", { name: "10 lots, ready to import" }));
    expect(dialog.getByText("New", { selector: "dt" }).nextSibling).toHaveTextContent("2");
    expect(dialog.queryByRole("tab", { name: /New/ })).toBeNull();
    const row = await dialog.findByText("Quantity", { selector: "li *" });

    expect(row.closest("li")).toHaveTextContent("Quantity4becomes9");
    expect(sent("POST /api/inventorySyncs/5/apply")).toEqual([]);
  });

  it("applies, and shows how far it is", async () => {
    const { user } = show(aSync());

    await user.click(await screen.findByRole("button", { name: /^Import 10 lots/ }));

    expect(await screen.findByRole("dialog", { name: "Importing" })).toBeInTheDocument();
    expect(await screen.findByText("4 of 10")).toBeInTheDocument();
    expect(sent("POST /api/inventorySyncs/5/apply")[0]?.body).toEqual({});
  });

  it("shows how a table was read, and reads it again as it is corrected", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync({ state: "previewing" })]));
    const table = {
      encoding: "utf-8",
      delimiter: ";",
      quote: '"',
      decimal: ",",
      colors: "bricklink" as const,
      condition: "N" as const,
      currency: "",
      skipped: 1,
      heads: ["What", "Menge"],
      columns: ["keep", "quantity"],
      signature: "what|menge",
    };
    const reading = {
      kind: "table" as const,
      covers: "part" as const,
      table,
      sample: [["3001", "4"]],
    };
    const warnings = [{ code: "no_item_column", message: "No column names an item." }];
    const { user } = show(aSync({ reading, warnings }));

    expect(await screen.findByText(/1 of 2 columns understood; separated by semi/)).toBeVisible();
    expect(screen.getByText("3001")).toBeVisible();
    await user.selectOptions(screen.getByLabelText("What is What?"), "Item number");
    await user.click(screen.getByRole("button", { name: "Read the file like this" }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        table: { columns: ["item_number", "quantity"], delimiter: ";", decimal: "," },
      }),
    );
  });

  it("says whose numbers items and colours were taken to have, and takes LEGO's", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync({ state: "previewing" })]));
    const table = {
      encoding: "utf-8",
      delimiter: ",",
      quote: '"',
      decimal: ".",
      colors: "bricklink" as const,
      condition: "N" as const,
      currency: "",
      skipped: 1,
      heads: ["Part", "Color", "Qty"],
      columns: ["item_number", "color", "quantity"],
      signature: "part|color|qty",
    };
    const reading = { kind: "table" as const, covers: "part" as const, table, foreign_numbers: 2 };
    const { user } = show(aSync({ reading }));

    expect(
      await screen.findByText(
        /Item numbers are read as BrickLink's; of 2 lots, Rebrickable's, LDraw's or LEGO's\./,
      ),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Check the columns" }));
    await user.selectOptions(screen.getByLabelText("Colour numbers"), "LEGO's own");

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        table: { colors: "lego" },
      }),
    );
  });

  it("asks what a column means that shows no decimal sign", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync({ state: "previewing" })]));
    const table = {
      encoding: "utf-8",
      delimiter: ";",
      quote: '"',
      decimal: ".",
      decimals: ["", "."],
      unclear: [{ column: 1, text: "1.234" }],
      colors: "bricklink" as const,
      condition: "N" as const,
      currency: "",
      skipped: 1,
      heads: ["Part", "Preis"],
      columns: ["item_number", "price"],
      signature: "part|preis",
    };
    const { user } = show(aSync({ reading: { kind: "table", covers: "part", table } }));

    const choice = within(await screen.findByRole("group", { name: "What 1.234 is in Preis" }));
    expect(choice.getByRole("radio", { name: "A decimal" })).toBeChecked();
    await user.click(choice.getByRole("radio", { name: "Thousands" }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        table: { columns: ["item_number", "price"], decimals: ["", ","] },
      }),
    );
  });

  it("asks for the number to be typed when more than a tenth would be set to 0", async () => {
    const { user } = show(aSync({ counts: { ...aSync().counts, zeroed: 3, to_confirm: 3 } }));
    const apply = await screen.findByRole("button", { name: /^Import 10 lots/ });
    expect(apply).toHaveAttribute("aria-disabled", "true");

    await user.type(screen.getByRole("textbox", { name: "Type 3 to go on" }), "3");
    await user.click(apply);

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/apply")[0]?.body).toEqual({ confirm_zeroed: 3 }),
    );
  });

  it("says that a file looks like another store's, and wants a count typed", async () => {
    const message = "The file names 2 of your store's 5 lots. It looks like another store's.";
    const warnings = [{ code: "another_store", message }];
    const { user } = show(aSync({ warnings, counts: { ...aSync().counts, to_confirm: 7 } }));
    const apply = await screen.findByRole("button", { name: /^Import 10 lots/ });

    expect(screen.getByText("Is this your store's file?")).toBeVisible();
    expect(screen.getAllByText(message)).toHaveLength(1);
    expect(apply).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByRole("textbox", { name: "Type 7 to go on" }), "7");
    await user.click(apply);

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/apply")[0]?.body).toEqual({ confirm_zeroed: 7 }),
    );
  });

  it("asks what becomes of another currency, and imports with the answer by one press", async () => {
    const warnings = [
      { code: "currency_differs", message: "", file_currency: "USD", store_currency: "EUR" },
    ];
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync({ warnings: [] })]));
    const { user } = show(aSync({ warnings }));
    await screen.findByText("The file is in USD, your store in EUR");
    const go = screen.getByRole("button", { name: /^Import 10 lots/ });

    await user.click(screen.getByRole("radio", { name: "Convert" }));
    expect(go).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByRole("textbox", { name: /One USD is how many EUR/ }), "0,92");
    await user.click(go);

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        currency_action: "convert",
        rate: "0.92",
      }),
    );
    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/apply")).toHaveLength(1));
  });

  it("stays where the new preview asks for a count that was not typed", async () => {
    const warnings = [
      { code: "currency_differs", message: "", file_currency: "USD", store_currency: "EUR" },
    ];
    const asking = aSync({ counts: { ...aSync().counts, zeroed: 3, to_confirm: 3 } });
    answer("POST /api/inventorySyncs/5/preview", () => ok([asking]));
    const { user } = show(aSync({ warnings }));

    await user.click(await screen.findByRole("button", { name: /^Import 10 lots/ }));

    expect(await screen.findByRole("textbox", { name: "Type 3 to go on" })).toBeVisible();
    expect(sent("POST /api/inventorySyncs/5/apply")).toEqual([]);
  });

  it("offers a new preview when the stock changed meanwhile", async () => {
    answer("POST /api/inventorySyncs/5/apply", () =>
      refusal(409, "CONFLICT", "The inventory changed since this preview was made."),
    );
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync()]));
    const { user } = show(aSync());

    await user.click(await screen.findByRole("button", { name: /^Import 10 lots/ }));
    await user.click(await screen.findByRole("button", { name: "New preview" }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/preview")).toHaveLength(1));
  });

  it("shows the result of an import that another tab has applied", async () => {
    answer("POST /api/inventorySyncs/5/apply", () => {
      answer("GET /api/inventorySyncs/5", () => ok([aSync({ state: "applied" })]));
      return refusal(409, "CONFLICT", "This sync is applied; only a preview can be applied.");
    });
    const { user, queryClient } = show(aSync());
    const stale = jest.spyOn(queryClient, "invalidateQueries");

    await user.click(await screen.findByRole("button", { name: /^Import 10 lots/ }));

    expect(await screen.findByRole("dialog", { name: "10 lots imported" })).toBeInTheDocument();
    for (const tag of STOCK) expect(stale).toHaveBeenCalledWith({ queryKey: [tag] });
  });

  it("says what becomes of unknown numbers, and leaves out figures of nothing", async () => {
    const counts = { ...aSync().counts, unknown: 5, unknown_created: 3, zeroed: 0, unreadable: 0 };
    show(aSync({ counts }));

    expect(await screen.findByText(/3 lots have numbers that the catalogue/)).toHaveTextContent(
      "can be named later",
    );
    expect(screen.queryByText("Set to 0", { selector: "dt" })).toBeNull();
    expect(screen.queryByText("Unreadable", { selector: "dt" })).toBeNull();
  });

  it.each([
    [5, /^3 lots have conditions that were not understood\. None of them is lost/],
    [1, /that the catalogue does not know, or a condition that was not understood\. None/],
  ])("says of %s lots that their condition was not understood", async (conditions, words) => {
    const unknown = { unknown: 5, unknown_created: 3, unknown_conditions: conditions };
    show(aSync({ counts: { ...aSync().counts, ...unknown } }));

    expect(await screen.findByText(words)).toBeVisible();
  });

  it("leads to the names of what is unknown and in stock already", async () => {
    show(aSync({ counts: { ...aSync().counts, unknown: 3, unknown_created: 0 } }));

    expect(await screen.findByText(/3 lots have numbers that/)).toHaveTextContent(
      "they are in your stock",
    );
    expect(screen.getByRole("link", { name: "Name them" })).toBeVisible();
  });

  it("leads to the names of what is unknown once, in what is left to decide", async () => {
    show(aSync({ state: "applied", counts: { ...aSync().counts, unknown: 1 } }));

    expect(await screen.findByText(/1 lot has a number that/)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Name them" })).toBeNull();
  });

  it("offers nothing to apply when the stock agrees with the file", async () => {
    const agreed = { ...aSync().counts, created: 0, changed: 0, unchanged: 10, unknown: 3 };
    show(aSync({ counts: agreed }));

    expect(await screen.findByText("Nothing would change")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: /^Import 10 lots/ })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("changes nothing when it is cancelled", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync({ state: "cancelled" })]));
    const { user, onClose } = show(aSync());

    await user.click(await screen.findByRole("button", { name: "Cancel import" }));

    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
      currency_action: "stop",
    });
    expect(sent("POST /api/inventorySyncs/5/apply")).toEqual([]);
  });
});

describe("the sync warning dialog for locations", () => {
  const withLocations = aSync({ counts: { ...aSync().counts, new_locations: 2 } });

  it("names what would be created, on the page where it is decided", async () => {
    const { user } = show(withLocations);

    expect(await screen.findByText("A-01 to A-02")).toBeInTheDocument();
    expect(screen.getByRole("checkbox", { name: "Red: bins" })).not.toBeChecked();
    expect(sent("POST /api/inventorySyncs/5/apply")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Import 10 lots and 2 bins" }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/apply")).toHaveLength(1));
  });

  it("imports what was ticked, and reads notes by a pattern", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([{ ...withLocations, updatedAt: "x" }]));
    const { user } = show(withLocations);
    await user.click(await screen.findByRole("button", { name: "Read them so" }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/preview")).toHaveLength(1));
    expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
      bin_patterns: ["in *"],
    });
    expect(sent("POST /api/inventorySyncs/5/apply")).toEqual([]);

    answer("POST /api/inventorySyncs/5/preview", () => ok([{ ...withLocations, updatedAt: "y" }]));
    await user.click(await screen.findByRole("checkbox", { name: "Red: bins" }));
    await user.click(screen.getByRole("button", { name: "Show each" }));
    await user.click(screen.getByRole("checkbox", { name: /^A-02/ }));
    await user.click(screen.getByRole("button", { name: "Import 10 lots and 2 bins" }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/apply")).toHaveLength(1));
    expect(sent("POST /api/inventorySyncs/5/preview")[1]?.body).toMatchObject({
      bins: { Red: true, "A-02": false },
    });
  });

  it("previews without them where none are wanted", async () => {
    answer("POST /api/inventorySyncs/5/preview", () =>
      ok([aSync({ options: { ...aSync().options, create_locations: false } })]),
    );
    const { user } = show(withLocations);
    await user.click(await screen.findByRole("button", { name: "Import without bins" }));

    expect(
      await screen.findByRole("button", { name: "Create the bins after all" }),
    ).toBeInTheDocument();
    expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
      create_locations: false,
    });
  });
});

describe("Remarks that name several locations", () => {
  const told = {
    code: "several_locations",
    message: "2 lots name several bins in Remarks, such as “B-07:12;C-01:8”.",
    lots: 2,
    divisible: 1,
    separators: [";", "/"],
    examples: [
      {
        remarks: "B-07:12;C-01:8",
        quantity: 20,
        locations: ["B-07", "C-01"],
        quantities: [12, 8],
      },
      { remarks: "D-02 / E-3", quantity: 4, locations: ["D-02", "E-3"], quantities: [] },
    ],
  };

  it("are asked about with examples, and answered by the import", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync()]));
    const { user } = show(aSync({ warnings: [told] }));
    await screen.findByText("2 lots name several bins in Remarks");
    const examples = () =>
      within(screen.getByRole("list", { name: "For example" }))
        .getAllByRole("listitem")
        .map((item) => item.textContent);
    expect(examples()).toEqual(["B-07:12;C-01:8becomesno bin", "D-02 / E-3becomesno bin"]);

    await user.click(screen.getByRole("radio", { name: "Take the first" }));
    await user.click(screen.getByRole("checkbox", { name: /Split the 1 lot/ }));
    expect(examples()).toEqual([
      "B-07:12;C-01:8becomesB-07 × 12, C-01 × 8",
      "D-02 / E-3becomesD-02",
    ]);
    await user.click(screen.getByRole("button", { name: /^Import 10 lots/ }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toEqual({
        ...aSync().options,
        several_locations: "first",
        split_quantities: true,
      }),
    );
  });

  it("keep their answer where another question is answered", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync()]));
    const { user } = show(
      aSync({
        warnings: [
          { code: "currency_differs", message: "", file_currency: "USD", store_currency: "EUR" },
          told,
        ],
      }),
    );

    await user.click(await screen.findByRole("radio", { name: "One name" }));
    await user.click(screen.getByRole("button", { name: /^Import 10 lots/ }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        currency_action: "relabel",
        several_locations: "whole",
      }),
    );
  });

  it("need no answer: the import can be applied without", async () => {
    const { user } = show(aSync({ warnings: [told] }));

    await user.click(await screen.findByRole("button", { name: /^Import 10 lots/ }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/apply")).toHaveLength(1));
  });

  it("offer no split where no lot says how many lie where", async () => {
    show(aSync({ warnings: [{ ...told, divisible: 0 }] }));

    expect(await screen.findByRole("radio", { name: "One name" })).toBeInTheDocument();
    expect(screen.queryByRole("checkbox", { name: /Split/ })).toBeNull();
  });
});

describe("an import under way", () => {
  it("asks before it is stopped, and says what follows", async () => {
    answer(`POST /api/jobs/${job.id}/cancel`, () => ok([{ ...job, cancel_requested: true }]));
    const { user } = show(applying);

    await user.click(await screen.findByRole("button", { name: "Stop" }));
    const question = within(await screen.findByRole("dialog", { name: "Stop the import?" }));
    expect(question.getByText(/keep them, undo them, or continue/)).toBeInTheDocument();
    await user.click(question.getByRole("button", { name: "Stop" }));

    await waitFor(() => expect(sent(`POST /api/jobs/${job.id}/cancel`)).toHaveLength(1));
  });

  it("offers to keep, undo or go on once it was stopped half-way", async () => {
    show(aSync({ state: "cancelled", applied_lots: 4 }));

    expect(await screen.findByText(/4 of 10 lots were applied/)).toBeInTheDocument();
    for (const name of ["Keep what was applied", "Undo it", "Continue"]) {
      expect(screen.getByRole("button", { name })).toBeInTheDocument();
    }
  });
});

describe("an import into a batch", () => {
  it("closes as its batch is opened, which may be the page below", async () => {
    const { user, onClose } = show(aSync({ target: "batch", state: "applied", batch_id: 12 }));

    await user.click(await screen.findByRole("link", { name: "Open batch" }));

    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it("makes the bins after all, where a person decided against them", async () => {
    const sync = aSync({ target: "batch" });
    answer("POST /api/inventorySyncs/5/preview", () => ok([sync]));
    const { user } = show({ ...sync, options: { ...sync.options, create_locations: false } });

    await user.click(await screen.findByRole("button", { name: "Create the bins after all" }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({
        create_locations: true,
      }),
    );
  });

  it("offers no bins where Remarks are only remarks", async () => {
    const sync = aSync({ target: "batch" });
    const options = { ...sync.options, create_locations: false, reads_remarks: false };
    show({ ...sync, options });

    expect(await screen.findByRole("button", { name: /^Import 10 lots/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Create the bins after all" })).toBeNull();
  });

  it("is only undone, not applied again, where its undo stopped half-way", async () => {
    show(aSync({ target: "batch", state: "cancelled", applied_lots: 4 }));

    expect(await screen.findByText(/A part of the import was undone/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Undo it" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Go on" })).not.toBeInTheDocument();
  });

  it("says why it was not undone", async () => {
    show(aSync({ target: "batch", state: "applied", problem: "The batch “Attic” is archived." }));

    expect(await screen.findByText("The batch “Attic” is archived.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Undo import" })).toBeInTheDocument();
  });
});

describe("an import that is over", () => {
  const aLine = {
    note: "",
    count: 3,
    money: null,
    since: null,
    is_due: false,
    is_pressing: false,
    pictures: [],
  };

  it("leads to what waits", async () => {
    const waiting = [
      { ...aLine, id: "no-bin", title: "Put 3 lots into bins", to: "/app/inventory?location=none" },
      { ...aLine, id: "unpriced", title: "Price 3 lots", to: "/app/inventory?unpriced=true" },
    ];
    answer("GET /api/home", () => ok([emptyHome({ waiting })]));
    show(aSync({ state: "applied" }));

    const next = await screen.findByRole("link", { name: "Price 3 lots" });
    expect(next).toHaveAttribute("href", "/app/inventory?unpriced=true");
  });

  it("leads to the stock where nothing waits", async () => {
    answer("GET /api/home", () => ok([emptyHome()]));
    const { user, onClose } = show(aSync({ state: "applied" }));

    await user.click(await screen.findByRole("button", { name: "Show the stock" }));

    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it("leads to another file where it could not be read", async () => {
    show(aSync({ state: "failed", problem: "This is no inventory." }));

    expect(await screen.findByRole("link", { name: "Choose another file" })).toHaveAttribute(
      "href",
      "/app/inventory?import=1",
    );
  });

  it("offers no other file where the store could not be read", async () => {
    show(aSync({ state: "failed", read_from: "store", problem: "The store did not answer." }));

    expect(await screen.findByText(/The store did not answer/)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Choose another file" })).toBeNull();
  });

  it("lists error and context of what failed", async () => {
    const failed = [{ error: "The quantity is negative.", context: "lot 3, line 40: 3001 Red" }];
    answer(`GET /api/jobs/${job.id}`, () =>
      ok([{ ...job, state: "succeeded", failed, failed_count: 1 }]),
    );
    const { user } = show(aSync({ state: "applied", job_id: job.id }));

    const error = { name: "The quantity is negative." };
    expect(await screen.findByRole("cell", error)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show them" }));

    const dialog = within(await screen.findByRole("dialog", { name: "1 item failed" }));
    expect(dialog.getByRole("cell", error)).toBeInTheDocument();
    expect(dialog.getByRole("cell", { name: "lot 3, line 40: 3001 Red" })).toBeInTheDocument();
  });

  it("offers to repair a file that is cut off", async () => {
    answer("POST /api/inventorySyncs/5/preview", () => ok([aSync()]));
    const problem = "The file ends in the middle of lot 8.";
    const { user } = show(aSync({ state: "failed", problem, counts: { can_repair: true } }));

    expect(await screen.findByText(`${problem} Your stock is as it was.`)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Import the complete lots" }));

    await waitFor(() =>
      expect(sent("POST /api/inventorySyncs/5/preview")[0]?.body).toMatchObject({ repair: true }),
    );
  });

  it("is undone after a question, row by row where rows were changed since", async () => {
    const changed = [
      {
        id: 40,
        number: "3001",
        name: "Brick 2 x 4",
        quantity: 9,
        location_name: "A-01",
        updatedAt: "2026-01-03T00:00:00Z",
      },
    ];
    answer("POST /api/inventorySyncs/5/undo", (_, count) =>
      count === 0
        ? refusal(409, "CONFLICT", "1 rows were changed since this import.", { data: changed })
        : ok([aSync({ state: "undoing", job_id: job.id })]),
    );
    const { user } = show(aSync({ state: "applied" }));
    await user.click(await screen.findByRole("button", { name: "Undo import" }));
    await user.click(
      within(await screen.findByRole("dialog", { name: "Undo this import?" })).getByRole("button", {
        name: "Undo import",
      }),
    );

    const dialog = within(
      await screen.findByRole("dialog", { name: "1 row was changed since the import" }),
    );
    const choice = dialog.getByRole("group", { name: "What to do with Brick 2 x 4" });
    await user.click(within(choice).getByRole("radio", { name: "Put back" }));
    await user.click(dialog.getByRole("button", { name: "Undo import" }));

    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/undo")).toHaveLength(2));
    expect(sent("POST /api/inventorySyncs/5/undo").map(({ body }) => body)).toEqual([
      {},
      { rows_changed_since: "mine", rows: { "40": "theirs" } },
    ]);
  });
});
