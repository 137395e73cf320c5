import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import * as z from "zod/mini";
import { endSession, login } from "@/features/auth/public";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { answer, installServer, ok, page } from "@/shared/testing/server";
import { SignedInOnly } from "./guards";

const schema = z.object({ name: z.string() });
function ThePage() {
  const form = useZodForm({ schema, defaultValues: { name: "" }, onSubmit: async () => undefined });
  return (
    <form onSubmit={form.submit}>
      <TextField form={form} name="name" label="Name" />
      <button type="submit">Save</button>
    </form>
  );
}

async function open() {
  installServer();
  answer("GET /api/jobs", () => page([]));
  answer("POST /api/users/login", () => ok([{ id: 1, accessToken: "a", refreshToken: "r" }]));
  await login({ email_address: "ann@example.com", password: "x" });
  const router = createMemoryRouter(
    [
      {
        element: <SignedInOnly />,
        children: [
          { path: "/app/profile", element: <ThePage /> },
          { path: "/app/home", element: <p>Home</p> },
        ],
      },
      { path: "/signin", element: <p>Sign in</p> },
    ],
    { initialEntries: ["/app/profile"] },
  );
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}
const go = (router: Awaited<ReturnType<typeof open>>) => act(() => router.navigate("/app/home"));
const question = () => screen.findByRole("dialog", { name: "Leave without saving?" });

describe("a page with unsaved input", () => {
  it("is left after one question alone", async () => {
    const router = await open();
    await userEvent.type(screen.getByLabelText("Name"), "Ann");

    await go(router);
    await question();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByLabelText("Name")).toHaveValue("Ann");

    await go(router);
    await question();
    await userEvent.click(screen.getByRole("button", { name: "Leave" }));
    expect(await screen.findByText("Home")).toBeInTheDocument();
  });

  it("is left without one after it was saved, or as nothing was typed", async () => {
    const router = await open();
    await userEvent.type(screen.getByLabelText("Name"), "Ann");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));

    await go(router);

    expect(await screen.findByText("Home")).toBeInTheDocument();
  });

  it("stays under the sign-in form when the session ends", async () => {
    const router = await open();
    await userEvent.type(screen.getByLabelText("Name"), "Ann");

    await act(async () => endSession());
    expect(await screen.findByText("Your session has ended.")).toBeVisible();
    await act(() => login({ email_address: "ann@example.com", password: "x" }));

    expect(router.state.location.pathname).toBe("/app/profile");
    expect(screen.getByLabelText("Name")).toHaveValue("Ann");
    expect(screen.queryByText("Your session has ended.")).toBeNull();
  });
});
