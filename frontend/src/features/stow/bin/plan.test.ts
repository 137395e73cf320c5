import { aLocation } from "@/features/locations/testing/builders";
import type { Destination } from "../model";
import { changed, emptySession, type Session } from "../session/session";
import {
  makeAdded,
  makeDestination,
  makeDraft,
  withAdded,
  withQuantity,
} from "../testing/builders";
import {
  chosenByPerson,
  plannedElsewhere,
  plansFor,
  roomFor,
  splitOverTwo,
  withPlans,
} from "./plan";

const NOW = Date.UTC(2026, 0, 31);
const RED = 10;
const BLACK = 11;
const planned = (session: Session, key: string, lotId: number, binId: number, quantity: number) =>
  withAdded(
    session,
    makeAdded({
      key,
      quantity,
      draft: makeDraft({ lotId }),
      bin: { id: binId, name: `A-0${binId}` },
    }),
    NOW,
  );
const shown = (destinations: Destination[]) =>
  destinations.map((each) => `${each.name}${each.recommended ? " recommended" : ""}`);

const holds = makeDestination({ id: 1, name: "A-01", qty_on_hand: 34, item_count: 50 });
const empty = makeDestination({ id: 2, name: "A-02", item_count: 0, reason: "empty" });
const alsoEmpty = makeDestination({ id: 3, name: "A-03", item_count: 0, reason: "empty" });

describe("withPlans", () => {
  it("leaves the server's order where nothing is planned", () => {
    const ranked = withPlans([holds, empty, alsoEmpty], new Map(), 1);

    expect(shown(ranked)).toEqual(["A-01 recommended", "A-02", "A-03"]);
  });

  it("sends the next lot to another empty bin than the one before", () => {
    const plans = plansFor(planned(emptySession, "a", RED, 2, 4), BLACK, "U");

    const ranked = withPlans([empty, alsoEmpty], plans, 1);

    expect(shown(ranked)).toEqual(["A-03 recommended", "A-02"]);
    expect(ranked[1]).toMatchObject({
      item_count: 4,
      planned: 4,
      reason: "empty; 4 more planned for it",
    });
  });

  it("sends the same lot to the bin that it was planned for", () => {
    const plans = plansFor(planned(emptySession, "a", RED, 3, 4), RED, "U");

    const [best] = withPlans([empty, alsoEmpty], plans, 1);

    expect(best).toMatchObject({
      name: "A-03",
      recommended: true,
      reason: "4 more like it going here",
    });
  });

  it("offers a bin of the person's own choice before empty ones, while it has room", () => {
    const plans = plansFor(planned(emptySession, "a", RED, 9, 4), RED, "U");
    const own = chosenByPerson(aLocation({ id: 9, name: "A-09", available_item_count: 5 }));

    expect(shown(withPlans([empty, own], plans, 1))).toEqual(["A-09 recommended", "A-02"]);
    expect(shown(withPlans([empty, own], plans, 2))).toEqual(["A-02 recommended", "A-09"]);
  });

  it("keeps what lies in a bin before what is only planned", () => {
    const plans = plansFor(planned(emptySession, "a", RED, 2, 4), RED, "U");

    expect(shown(withPlans([holds, empty], plans, 1))).toEqual(["A-01 recommended", "A-02"]);
  });

  it("tells of plans beside what lies there", () => {
    const plans = plansFor(planned(emptySession, "a", RED, 1, 4), RED, "U");

    expect(withPlans([{ ...holds, reason: "same lot: 34 here" }], plans, 1)[0]?.reason).toBe(
      "same lot: 34 here; 4 more planned for it",
    );
  });

  it("recommends no bin whose room is planned away", () => {
    const small = { ...empty, available_item_count: 5, max_item_count: 5 };
    const plans = plansFor(planned(emptySession, "a", RED, 2, 4), RED, "U");

    expect(withPlans([small], plans, 1)[0]).toMatchObject({
      recommended: true,
      available_item_count: 1,
    });
    expect(withPlans([small], plans, 2)[0]).toMatchObject({ recommended: false });
  });
});

describe("plannedElsewhere", () => {
  const plans = plansFor(planned(emptySession, "a", RED, 9, 4), RED, "U");

  it("is a bin of the lot that the server did not offer", () => {
    expect(plannedElsewhere([holds, empty], plans)).toBe(9);
  });

  it("is nothing where the server offers it, or where only other lots are planned", () => {
    expect(plannedElsewhere([{ ...empty, id: 9 }], plans)).toBeNull();
    expect(
      plannedElsewhere([], plansFor(planned(emptySession, "a", BLACK, 9, 4), RED, "U")),
    ).toBeNull();
  });
});

describe("chosenByPerson", () => {
  it("has no room when the location is marked full", () => {
    expect(chosenByPerson(aLocation({ is_full: true, available_item_count: 50 }))).toMatchObject({
      available_item_count: 0,
      reason: "chosen by you, but it is marked full",
    });
  });

  it("says which pieces the location is for where this is none of them", () => {
    const heavy = aLocation({ min_item_weight: "50.0000" });

    expect(chosenByPerson(heavy, 2.32).reason).toBe(
      "chosen by you, but it is for pieces from 50 g",
    );
    expect(chosenByPerson(heavy, null).reason).toBe("chosen by you");
  });
});

describe("plansFor", () => {
  it("counts neither what is stowed, taken back or refused, nor another condition as the same", () => {
    const problem = { what: "add", code: "", text: "no", canOverride: false, fits: null } as const;
    const updatedAt = "2026-01-31T19:00:00Z";
    const known = { id: 1, quantity: 2, binId: 2, isStowed: true, updatedAt };
    let session = planned(emptySession, "stowed", RED, 2, 2);
    session = planned(planned(session, "back", RED, 2, 3), "refused", RED, 2, 5);
    session = planned(session, "kept", RED, 2, 7);
    session = changed(session, "stowed", () => ({ known }));
    session = changed(session, "refused", () => ({ problem }));
    session = withQuantity(session, "back", 0, NOW);

    expect(plansFor(session, RED, "N").get(2)).toEqual({ pieces: 7, sameLot: 0 });
  });
});

describe("roomFor", () => {
  const bin = makeDestination({ stored_weight: "90.0000", max_total_weight: "100.0000" });

  it.each([
    ["nothing limits it", makeDestination(), 2.5, null],
    ["only the number does", makeDestination({ available_item_count: 7 }), 2.5, 7],
    ["only the weight does", bin, 2.5, 4],
    ["the weight is the tighter", { ...bin, available_item_count: 9 }, 2.5, 4],
    ["the number is the tighter", { ...bin, available_item_count: 3 }, 2.5, 3],
    ["nobody knows what a piece weighs", bin, null, null],
  ])("counts pieces where %s", (_, destination, grams, room) => {
    expect(roomFor(destination, grams)).toBe(room);
  });
});

describe("splitOverTwo", () => {
  const bins = (...rooms: (number | null)[]) =>
    rooms.map((room, index) =>
      makeDestination({ id: index + 1, name: `A-0${index + 1}`, available_item_count: room }),
    );
  const told = (rooms: (number | null)[], quantity: number) =>
    splitOverTwo(bins(...rooms), quantity, null)?.map(({ bin, pieces }) => [bin.name, pieces]);

  it.each([
    [
      "fills the best and puts the rest into the next with room",
      [8, 3, 30],
      12,
      [
        ["A-01", 8],
        ["A-03", 4],
      ],
    ],
    [
      "passes over a best one whose rest nobody takes",
      [1, 8, 5],
      12,
      [
        ["A-02", 8],
        ["A-03", 4],
      ],
    ],
    ["finds none where three would be needed", [4, 4, 4], 12, undefined],
    ["finds none where the best has no room at all", [0, 5], 12, undefined],
  ])("%s", (_, rooms, quantity, split) => {
    expect(told(rooms, quantity)).toEqual(split);
  });
});
