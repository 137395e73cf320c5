/** Whether the list of what is unsent is open: several places open it. */
import { createStore } from "zustand/vanilla";
import { onPersonForgotten } from "@/shared/lib/person";

export const opened = createStore(() => ({ isOpen: false }));
export const openUnsent = () => opened.setState({ isOpen: true });
export const closeUnsent = () => opened.setState({ isOpen: false });

onPersonForgotten(closeUnsent);
