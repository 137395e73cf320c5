import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { outbox } from "@/shared/outbox/theOutbox";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { Toaster } from "@/shared/ui/Toaster";
import { testPerson } from "./rendering";

/** Renders a page as the product does: router, query cache, toasts. Without `path`, at any address. */
export function renderPage(page: ReactNode, options: { at?: string; path?: string } = {}) {
  void outbox.open(testPerson());
  const queryClient = newQueryClient();
  const router = createMemoryRouter(
    [
      { path: options.path ?? "*", element: page },
      { path: "*", element: null },
    ],
    { initialEntries: [options.at ?? "/"] },
  );
  const user = userEvent.setup();
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { ...view, user, router, queryClient };
}

/** What is open until it closes itself: a dialog. */
export function Opened({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && children(() => setOpen(false));
}
