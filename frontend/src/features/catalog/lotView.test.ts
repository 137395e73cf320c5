import { type LotContext, type LotViewOptions, marksOf, sortLots, viewLots } from "./lotView";
import { makeLot } from "./testing/builders";

const cheap = makeLot({ id: 1, color_id: 1, reference_price: "0.0400" });
const fair = makeLot({ id: 2, color_id: 2, reference_price: "0.0500" });
const dear = makeLot({ id: 3, color_id: 3, reference_price: "1.0000" });
const unpriced = makeLot({ id: 4, color_id: 4 });
const lots = [cheap, fair, dear, unpriced];

const context = (given: Partial<LotContext> = {}): LotContext => ({
  owned: new Set(),
  inBatch: new Set(),
  needed: new Set(),
  lowValue: 0.05,
  highValue: 1,
  keepColorId: null,
  ...given,
});
const options = (given: Partial<LotViewOptions> = {}): LotViewOptions => ({
  highlight: false,
  showLowValueLots: false,
  hideExistingBatchItemLots: false,
  ...given,
});
const ids = (shown: readonly { id: number }[]) => shown.map(({ id }) => id);

describe("show low value lots", () => {
  it("off hides what is below the value, never what has no price", () => {
    const view = viewLots(lots, options(), context());

    expect(ids(view.shown)).toEqual([2, 3, 4]);
    expect(view.lowValueHidden).toBe(1);
  });

  it("on hides nothing", () => {
    expect(viewLots(lots, options({ showLowValueLots: true }), context()).shown).toEqual(lots);
  });

  it("never hides the colour that was recognised", () => {
    expect(viewLots(lots, options(), context({ keepColorId: 1 })).shown).toEqual(lots);
  });
});

describe("hide existing batch item lots", () => {
  const inBatch = new Set([2, 3]);

  it("off shows what the batch holds", () => {
    expect(ids(viewLots(lots, options(), context({ inBatch })).shown)).toEqual([2, 3, 4]);
  });

  it("on leaves only what is missing, and counts each hidden lot once", () => {
    const all = new Set([1, 2]);
    const view = viewLots(
      lots,
      options({ hideExistingBatchItemLots: true }),
      context({ inBatch: all }),
    );

    expect(ids(view.shown)).toEqual([3, 4]);
    expect([view.inBatchHidden, view.lowValueHidden]).toEqual([2, 0]);
  });
});

describe("highlight", () => {
  it("marks what is owned, in the batch, of high value, and needed by a set", () => {
    const marks = context({
      owned: new Set([1, 3]),
      inBatch: new Set([2, 3]),
      needed: new Set([3, 4]),
    });

    expect(lots.map((lot) => marksOf(lot, marks))).toEqual([
      ["owned"],
      ["inBatch"],
      ["owned", "inBatch", "valuable", "needed"],
      ["needed"],
    ]);
  });
});

describe("the order", () => {
  const used = { condition: "used", region: "global", recent: [] } as const;
  const slow = makeLot({ id: 5, color_name: "Azure", used_global_sell_through: "0.2" });
  const quick = makeLot({ id: 6, color_name: "White", used_global_sell_through: "1.9" });

  it.each([
    ["mine", [1, 2, 3, 4]],
    ["price", [3, 2, 1, 4]],
  ] as const)("%s", (by, order) => {
    expect(ids(sortLots(lots, by, used))).toEqual(order);
  });

  it("by what sells best in the region shown, what nobody knows last", () => {
    expect(ids(sortLots([unpriced, slow, quick], "sellThrough", used))).toEqual([6, 5, 4]);
    const newInUs = { ...used, condition: "new", region: "us" } as const;
    expect(ids(sortLots([slow, quick], "sellThrough", newInUs))).toEqual([5, 6]);
  });

  it("by the colours used last, the others as they were", () => {
    const [azure, white] = [
      { ...slow, color_id: 156 },
      { ...quick, color_id: 1 },
    ];
    const recent = { ...used, recent: [1] };

    expect(ids(sortLots([unpriced, azure, white], "recent", recent))).toEqual([6, 4, 5]);
  });

  it("by name", () => {
    expect(ids(sortLots([quick, slow], "name", used))).toEqual([5, 6]);
  });
});
