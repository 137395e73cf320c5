import {
  askLineBy,
  canReach,
  isAway,
  line,
  noteReached,
  onLineBack,
  onLineLost,
  watchLine,
} from "./line";

let isThere = true;
let questions = 0;

beforeEach(() => {
  jest.useFakeTimers();
  isThere = true;
  questions = 0;
  askLineBy(async () => {
    questions += 1;
    return isThere;
  });
});
afterEach(() => {
  noteReached();
  askLineBy(async () => true);
  jest.useRealTimers();
});

it("is asked once, however many requests doubt it", async () => {
  isThere = false;

  expect(await Promise.all([canReach(), canReach(), canReach()])).toEqual([false, false, false]);

  expect(questions).toBe(1);
  expect(line.getState().awaySince).toBe(Date.now());
});

it("is asked again until the server answers, and tells those who wait", async () => {
  const told: string[] = [];
  const stops = [onLineLost(() => told.push("lost")), onLineBack(() => told.push("back"))];
  isThere = false;
  await canReach();
  await jest.advanceTimersByTimeAsync(8_000);
  isThere = true;

  await jest.advanceTimersByTimeAsync(10_000);

  expect(isAway()).toBe(false);
  expect(told).toEqual(["lost", "back"]);
  const asked = questions;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(questions).toBe(asked);
  for (const stop of stops) stop();
});

it("is there again with any answer", async () => {
  isThere = false;
  await canReach();

  noteReached();

  expect(line.getState()).toEqual({ awaySince: null, asOf: null });
});

it.each([true, false])("is asked for at once by a page that was kept: %s", async (there) => {
  isThere = there;
  watchLine(true);
  await jest.advanceTimersByTimeAsync(0);

  expect([isAway(), questions]).toEqual([!there, 1]);
});
