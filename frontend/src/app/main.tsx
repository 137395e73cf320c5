import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { currentUser, onSession } from "@/features/auth/public";
import { registerJobKinds } from "@/shared/api/jobKinds";
import { keepAnswers } from "@/shared/api/keptAnswers";
import { sendLogsToServer } from "@/shared/api/sendLogs";
import { setFormats } from "@/shared/lib/format";
import { watchLine } from "@/shared/lib/line";
import { flushLog, log } from "@/shared/lib/log";
import { cspNonce, isKeptPage } from "@/shared/lib/pageMeta";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { Toaster } from "@/shared/ui/Toaster";
import { followPerson } from "./followPerson";
import { followWorker } from "./followWorker";
import { jobKinds } from "./jobKinds";
import { routes } from "./routes";
import "./styles.css";

declare global {
  var __webpack_nonce__: string;
}

// Style elements made later (webpack's, Radix's) carry the page's nonce, or the policy stops them.
__webpack_nonce__ = cspNonce();
setNonce(cspNonce());

registerJobKinds(...jobKinds);
sendLogsToServer();
window.addEventListener("error", (event) => log.error(event.message));
window.addEventListener("unhandledrejection", (event) => log.error(String(event.reason)));
window.addEventListener("pagehide", flushLog);

setFormats(currentUser());
onSession(({ user, keepsPage }) => !keepsPage && setFormats(user));

const queryClient = newQueryClient();
followPerson(queryClient);
keepAnswers(queryClient);
watchLine(isKeptPage());
followWorker();

const router = createBrowserRouter(routes);
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root element");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
