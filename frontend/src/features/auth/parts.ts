import { createElement } from "react";
import { lazyPart } from "@/shared/ui/lazyPart";

/** Asks to sign in again, over the page. */
export const SignInAgain = lazyPart(
  () => import(/* webpackChunkName: "sign-in" */ "./SignInAgain").then((m) => m.SignInAgain),
  // What is on the page is not shown meanwhile.
  createElement("div", { className: "z-tooltip fixed inset-0 bg-canvas" }),
);
