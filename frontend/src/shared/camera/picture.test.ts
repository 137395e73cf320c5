import { balanceOf, cutOf, MAX_BYTES, sentSize, shrunk } from "./picture";

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

describe("a file that this browser cannot decode", () => {
  const undecodable = () => Promise.reject(new DOMException("", "InvalidStateError"));
  const decode = globalThis.createImageBitmap;
  beforeEach(() => {
    globalThis.createImageBitmap = undecodable as typeof createImageBitmap;
  });
  afterEach(() => {
    globalThis.createImageBitmap = decode;
  });

  it("goes as it is, for the server to say what it is", async () => {
    const file = new Blob(["ftypheic"]);

    expect(await shrunk(file)).toBe(file);
  });

  it("is not sent where it is larger than the server reads", async () => {
    const file = new Blob([new Uint8Array(MAX_BYTES + 1)]);

    await expect(shrunk(file)).rejects.toThrow("20 MB are too many to send");
  });
});
