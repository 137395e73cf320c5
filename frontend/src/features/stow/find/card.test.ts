import { type Card, type CardAction, cardReducer, emptyCard, searchText } from "./card";

const cardAfter = (...actions: CardAction[]): Card => actions.reduce(cardReducer, emptyCard);
const digits = (text: string): CardAction[] =>
  [...text].map((digit) => ({ type: "digit", digit: Number(digit) }));

describe("cardReducer", () => {
  it.each([
    ["3", 3],
    ["12", 12],
    ["0", 1],
    ["05", 5],
    ["99999", 99_999],
    ["123456", 12_345],
  ])("reads the keys %s as quantity %d", (keys, quantity) => {
    expect(cardAfter({ type: "taken" }, ...digits(keys)).quantity).toBe(quantity);
  });

  it.each([
    ["3001 red 5", "3001 red", 5],
    ["2x4 brick light bluish 12 ", "2x4 brick light bluish", 12],
    ["3001 5", "3001 5", 1],
    ["plate red 2", "plate red 2", 1],
    ["brick 2 x 4", "brick 2 x 4", 1],
    ["3001 red 0", "3001 red 0", 1],
    ["3001 red 123456", "3001 red 123456", 1],
  ])("reads “%s” as %s and the quantity %d", (text, search, quantity) => {
    const card = cardAfter({ type: "typed", text });

    expect([searchText(card), card.quantity]).toEqual([search, quantity]);
    expect(cardReducer(card, { type: "digit", digit: 4 }).quantity).toBe(4);
  });

  it("erases digits one by one, down to the 1 that the next digit replaces", () => {
    const erased = cardAfter(...digits("12"), { type: "digitErased" });
    const empty = cardReducer(erased, { type: "digitErased" });

    expect(erased.quantity).toBe(1);
    expect(erased.quantityTyped).toBe(true);
    expect(empty).toMatchObject({ quantity: 1, quantityTyped: false });
    expect(cardReducer(empty, { type: "digit", digit: 4 }).quantity).toBe(4);
  });

  it("keeps the quantity at 1 at least", () => {
    expect(cardAfter({ type: "quantitySet", quantity: 0 }).quantity).toBe(1);
    expect(cardAfter({ type: "quantitySet", quantity: Number.NaN }).quantity).toBe(1);
  });

  it("begins anew when something else is typed", () => {
    const card = cardAfter({ type: "typed", text: "300" }, ...digits("5"), {
      type: "typed",
      text: "3001",
    });

    expect(card).toEqual({ ...emptyCard, text: "3001" });
  });

  it("forgets colour, price and bin of one match when another is marked, and keeps the quantity", () => {
    const card = cardAfter(
      { type: "typed", text: "brick" },
      { type: "taken" },
      { type: "digit", digit: 6 },
      { type: "colorChosen", colorId: 5 },
      { type: "priceSet", price: "0.20" },
      { type: "binChosen", bin: { id: 9, name: "A-09" } },
      { type: "marked", candidate: 2 },
    );

    expect(card).toEqual({
      ...emptyCard,
      text: "brick",
      candidate: 2,
      taken: true,
      quantity: 6,
      quantityTyped: true,
    });
  });

  it("keeps what was chosen when the marked match is taken", () => {
    const card = cardAfter({ type: "marked", candidate: 1 }, { type: "colorChosen", colorId: 5 });

    expect(cardReducer(card, { type: "taken", candidate: 1 })).toEqual({ ...card, taken: true });
  });

  it("goes back to typing with the text when nothing matched", () => {
    const card = cardAfter(
      { type: "typed", text: "zzz999" },
      { type: "taken" },
      { type: "released" },
    );

    expect(card).toEqual({ ...emptyCard, text: "zzz999" });
  });

  it("proposes price and bin anew for another colour", () => {
    const card = cardAfter(
      { type: "priceSet", price: "0.20" },
      { type: "binChosen", bin: { id: 9, name: "A-09" } },
      { type: "colorChosen", colorId: 11 },
    );

    expect(card).toMatchObject({ colorId: 11, price: null, bin: null });
  });
});
