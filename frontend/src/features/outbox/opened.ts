/** Whether the list of what is unsent is open, and what is shown of that for a store that was left. */
import { createStore } from "zustand/vanilla";
import { onPersonForgotten } from "@/shared/lib/person";
import type { Unsent } from "@/shared/outbox/unsent";

type Opened = { isOpen: boolean; left: readonly Unsent[] };

export const opened = createStore<Opened>(() => ({ isOpen: false, left: [] }));
export const openUnsent = () => opened.setState({ isOpen: true });
export const closeUnsent = () => opened.setState({ isOpen: false });

export const closeLeft = () => opened.setState({ left: [] });

onPersonForgotten(() => {
  closeUnsent();
  closeLeft();
});
