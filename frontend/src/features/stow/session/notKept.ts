import { toast } from "@/shared/ui/toast";

/** The browser has no room for the last act: it is lost where the page is closed before it is sent. */
export function tellNotKept(): void {
  toast.error("This browser has no room to keep the last act", {
    id: "notKept",
    duration: Number.POSITIVE_INFINITY,
    detail: "Leave this page open until everything is sent. What was kept before it stays kept.",
  });
}
