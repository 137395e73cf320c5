/** What tests that draw something need beside a browser: `*.test.tsx`. */
import "@testing-library/jest-dom";
import { configure, getConfig } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import * as React from "react";
import { outbox } from "@/shared/outbox/theOutbox";
import { toast } from "@/shared/ui/toast";
import "./computedStyle";

const { getElementError } = getConfig();
configure({
  // Expected elements appear late on a busy machine, and no test measures speed.
  asyncUtilTimeout: 30_000,
  // While it waits, each look would print the whole page into an error that nobody reads. The last
  // one does.
  getElementError: (message, container) =>
    isLooking() ? new Error(message ?? undefined) : getElementError(message, container),
});

const isLooking = () =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })
    ._disableExpensiveErrorDiagnostics;

// React's development build notes where each element was made, for its warnings alone. That is a
// quarter of what page tests cost, so it is told that it has noted enough.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, object>; // not in its types
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", {
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
});

beforeEach(() => toast.removeAll());

/** Whose outbox a test uses: another person's each time, since answers may come after its end. */
let person = 1;
export const testPerson = () => person;

// What one test left unsent is nothing for the next.
afterEach(() => {
  person += 1;
  outbox.close();
  globalThis.indexedDB = new IDBFactory();
});
