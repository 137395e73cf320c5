import { balanceOf, cutOf, sentSize } from "./picture";

it("cuts the middle", () => {
  expect(cutOf(640, 480, 0.5)).toEqual({ left: 160, top: 120, width: 320, height: 240 });
});

it("sends no more than 1,024 pixels a side, and enlarges nothing", () => {
  expect(sentSize(4000, 3000)).toEqual({ width: 1024, height: 768 });
  expect(sentSize(300, 900)).toEqual({ width: 300, height: 900 });
});

it("balances a warm white to grey without making anything lighter", () => {
  expect(balanceOf([250, 240, 200])).toEqual([204, 213, 255]);
  expect(balanceOf([0, 0, 0])).toEqual([255, 255, 255]);
});
