import { act, fireEvent, screen } from "@testing-library/react";
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

it("has the notice of the marketplace's terms on every page", async () => {
  renderPage(<Shell />);

  expect(await screen.findByRole("main")).toHaveTextContent(
    "This application uses the BrickLink API but is not endorsed or certified by LEGO BrickLink, Inc.",
  );
});

it("lets Tab go on in the page that a link of the bar opened, and leaves its field the focus", async () => {
  const { user, router } = renderPage(<Shell />, { at: "/app/home" });
  const main = await screen.findByRole("main");
  expect(document.body).toHaveFocus();

  await user.click(screen.getByRole("link", { name: "Batches" }));
  expect(main).toHaveFocus();

  const field = document.createElement("input");
  main.append(field);
  field.focus();
  await act(() => router.navigate("/app/catalog"));
  expect(field).toHaveFocus();
});

it("skips to what is open on a page that has a list in front of it, else to the page", async () => {
  const { user } = renderPage(<Shell />, { at: "/app/home" });
  const main = await screen.findByRole("main");
  const skip = screen.getByRole("link", { name: "Skip to content" });

  await user.click(skip);
  expect(main).toHaveFocus();

  const opened = document.createElement("div");
  opened.dataset.content = "";
  opened.tabIndex = -1;
  main.append(opened);
  await user.click(skip);
  expect(opened).toHaveFocus();
});
