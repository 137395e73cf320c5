import { screen, waitFor } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { EyesSettings } from "./EyesSettings";

const aCapture = { id: 1, item_number: "3001", item_name: "Brick 2 x 4", crop: "/9j/" };
const own = { problem: "", moulds: 1000, share_of_pieces: 0.92, licence: "CC BY" };

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer("GET /api/recognition/state", () => ok([{ own }]));
  answer("GET /api/recognition/moulds", () => ok([]));
  answer("GET /api/recognition/captures", () => page([aCapture]));
});

const shown = async () => {
  const { user } = renderPage(<EyesSettings />);
  await user.click(screen.getByRole("button", { name: "Show its confirmations" }));
  return user;
};

describe("what the recogniser knows", () => {
  it("exports the confirmed pictures as a file", async () => {
    answer("GET /api/recognition/captures/file", () => new Response("zip"));
    const saved: string[] = [];
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download);
    };
    const user = await shown();

    await user.click(await screen.findByRole("button", { name: "Export" }));

    await waitFor(() => expect(saved).toEqual(["captures.zip"]));
  });

  it("asks before it forgets a picture", async () => {
    answer("DELETE /api/recognition/captures/1", () => ok());
    const user = await shown();

    await user.click(await screen.findByRole("button", { name: "Forget this picture of 3001" }));
    expect(screen.getByText(/picture of 3001 is deleted for good/)).toBeVisible();
    expect(sent("DELETE /api/recognition/captures/1")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Forget" }));

    expect(await screen.findByText("Picture of 3001 forgotten")).toBeVisible();
  });

  it("says that the model cannot be used, and that number and name go on", async () => {
    const problem = "The model file eyes.onnx is missing.";
    answer("GET /api/recognition/state", () => ok([{ own: { ...own, problem } }]));

    await shown();

    expect(await screen.findByText(/eyes\.onnx is missing\..*number and name/)).toBeVisible();
  });
});
