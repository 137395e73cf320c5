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
  movesNothing?: boolean;
} = {}) {
  let arrive: () => void = () => undefined;
  const arrival = new Promise((resolve) => {
    arrive = () => resolve(1);
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <Loading {...{ arrival, movesNothing }} />
      <Settled {...props}>Below</Settled>
    </QueryClientProvider>,
  );
  return () => act(async () => arrive());
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
