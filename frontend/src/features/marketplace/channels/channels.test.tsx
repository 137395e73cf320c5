import { screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, sent } from "@/shared/testing/server";
import type { LotInChannel } from "../model";
import { aConnection } from "../testing/builders";
import { LotInStores } from "./LotInStores";
import { ChannelMark, ChannelMarks } from "./Marks";

const LINES = "GET /api/marketplace/channelLots/40";
const stores = (count: number) =>
  aConnection().choices.map((each, place) => ({
    ...each,
    channel_id: place + 1,
    state: place < count ? ("ok" as const) : ("none" as const),
  }));
const connected = (count: number) =>
  answer("GET /api/marketplaceConnection", () => ok([aConnection({ choices: stores(count) })]));

const aLine = (given: Partial<LotInChannel> = {}): LotInChannel => ({
  channel_id: 1,
  marketplace_name: "Demo store",
  mark: "BL",
  state: "in_step",
  reason: "",
  quantity: 10,
  price: "0.1200",
  stockroom: "",
  address: "",
  receivedAt: null,
  ...given,
});

beforeEach(() => {
  installServer();
  connected(2);
});

describe("marks", () => {
  it("are the letters of a store, named for who listens", async () => {
    renderPage(<ChannelMarks ids={[2]} />);

    const mark = await screen.findByRole("img", { name: "BrickOwl (demo)" });
    expect(mark).toHaveTextContent("BO");
    expect(screen.queryByRole("img", { name: "Demo store" })).toBeNull();
  });

  it("are of an order by its marketplace", async () => {
    renderPage(<ChannelMark marketplace="bricklink" />);

    expect(await screen.findByRole("img", { name: "Demo store" })).toBeVisible();
  });

  it("are not there for a person with one store", async () => {
    connected(1);
    renderPage(
      <>
        <ChannelMark marketplace="bricklink" />
        <LotInStores id={40} />
        <ChannelMarks ids={[1]} />
      </>,
    );

    // The column of the stock is there, where it was asked for.
    expect(await screen.findAllByRole("img")).toHaveLength(1);
    expect(sent(LINES)).toHaveLength(0);
  });
});

describe("a lot in each store", () => {
  it("has quantity, price and state, the reason where it is held back, and its address", async () => {
    answer(LINES, () =>
      ok([
        aLine({ address: "https://there.example/7" }),
        aLine({
          channel_id: 2,
          mark: "BO",
          marketplace_name: "BrickOwl (demo)",
          state: "held",
          reason: "BrickOwl is paused.",
          quantity: 4,
        }),
      ]),
    );

    renderPage(<LotInStores id={40} />);

    const [first, second] = await screen.findAllByRole("listitem");
    expect(first).toHaveTextContent(/in sync.*10 at/);
    expect(second).toHaveTextContent(/held back.*4 at.*BrickOwl is paused/);
    expect(screen.getByRole("link", { name: /Open/ })).toHaveAttribute(
      "href",
      "https://there.example/7",
    );
  });

  it("says why it is not there", async () => {
    answer(LINES, () =>
      ok([aLine({ state: "not_there", quantity: null, reason: "The store has no lot of it." })]),
    );

    renderPage(<LotInStores id={40} />);

    expect(await screen.findByText("The store has no lot of it.")).toBeVisible();
  });
});
