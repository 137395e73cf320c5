import { fireEvent, screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { Shell } from "./Shell";

it("takes a file that is dropped on any page to the import", async () => {
  const { router } = renderPage(<Shell />);
  const file = new File(["Part,Qty"], "parts.csv");

  fireEvent.drop(await screen.findByRole("main"), {
    dataTransfer: { files: [file], types: ["Files"] },
  });

  expect(router.state.location.pathname).toBe("/app/inventory");
  expect(router.state.location.state).toEqual({ dropped: file });
});
