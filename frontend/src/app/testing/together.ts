/** Runs the test files of a world (jest.together.config.js), each as a group of its own. */
import { join } from "node:path";
import { logout } from "@/features/auth/public";

declare const TESTS: readonly string[];

const FRONTEND = join(__dirname, "../../..");

/** Where tests put in place what jsdom lacks, or what they listen to. */
const PLACES: readonly object[] = [
  window,
  navigator,
  document,
  URL,
  Element.prototype,
  HTMLElement.prototype,
  HTMLAnchorElement.prototype,
  HTMLMediaElement.prototype,
];
let before: readonly Record<string, PropertyDescriptor>[] = [];

function putBack(place: object, was: Record<string, PropertyDescriptor>): void {
  for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(place))) {
    const then = was[name];
    if (!then) Reflect.deleteProperty(place, name);
    else if (then.value !== now.value || then.get !== now.get)
      Reflect.defineProperty(place, name, then);
  }
}

for (const name of TESTS)
  describe(name, () => {
    beforeAll(() => {
      before = PLACES.map((place) => Object.getOwnPropertyDescriptors(place));
    });
    // The next file begins as in a new tab, with nobody signed in.
    afterAll(() => {
      jest.useRealTimers();
      jest.restoreAllMocks();
      for (const [at, was] of before.entries()) putBack(PLACES[at] as object, was);
      localStorage.clear();
      sessionStorage.clear();
      logout(); // without a token it asks nothing of the server
    });
    require(join(FRONTEND, name));
  });
