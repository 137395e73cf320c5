import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { line, noteReached } from "@/shared/lib/line";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { Settled } from "./Settled";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function Loading(props: { arrival: Promise<unknown>; movesNothing: boolean }) {
  const { arrival, movesNothing } = props;
  useQuery({ queryKey: ["exports"], queryFn: () => arrival, meta: { movesNothing } });
  return null;
}

function draw({
  movesNothing = false,
  ...props
}: {
  quietMs?: number;
  isKnown?: boolean;
  movesNothing?: boolean;
} = {}) {
  let arrive: () => void = () => undefined;
  const arrival = new Promise((resolve) => {
    arrive = () => resolve(1);
  });
  const client = newQueryClient();
  const all = (isKnown = props.isKnown) => (
    <QueryClientProvider client={client}>
      <Loading {...{ arrival, movesNothing }} />
      <Settled {...props} {...(isKnown !== undefined && { isKnown })}>
        Below
      </Settled>
    </QueryClientProvider>
  );
  const { rerender } = render(all());
  const know = (isKnown: boolean) => rerender(all(isKnown));
  return Object.assign(() => act(async () => arrive()), { know });
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const below = () => screen.getByText("Below");

it("is shown when nothing has loaded for a moment", async () => {
  const arrive = draw();
  await pass(1_000);
  expect(below()).toHaveClass("invisible");

  await arrive();
  await pass(60);

  expect(below()).not.toHaveClass("invisible");
});

it("waits for a slow load a second and a half", async () => {
  draw();
  await pass(1_499);
  expect(below()).toHaveClass("invisible");
  await pass(1);
  expect(below()).not.toHaveClass("invisible");
});

it("waits ten times as long where it may wait for a longer moment", async () => {
  draw({ quietMs: 600 });
  await pass(14_999);
  expect(below()).toHaveClass("invisible");
  await pass(1);
  expect(below()).not.toHaveClass("invisible");
});

it("waits for no load while the line is lost", async () => {
  line.setState({ awaySince: Date.now() });
  draw();

  await pass(60);

  expect(below()).not.toHaveClass("invisible");
  noteReached();
});

it("does not wait for what moves nothing", async () => {
  draw({ movesNothing: true });

  await pass(60);

  expect(below()).not.toHaveClass("invisible");
});

it("waits for what it must know however long that takes, and stays once shown", async () => {
  const { know } = draw({ isKnown: false });
  await pass(15_000);
  expect(below()).toHaveClass("invisible");

  know(true);
  await pass(1_500);
  expect(below()).not.toHaveClass("invisible");

  know(false);
  await pass(15_000);
  expect(below()).not.toHaveClass("invisible");
});
