import { useNavigate, useSearchParams } from "react-router-dom";
import { pathTo } from "@/shared/lib/paths";

type Shown = { order?: number; walk?: number };

/** Returns addresses of all orders, of one and of a walk, which keep the store chosen on the board. */
export function useOrdersPath() {
  const marketplace = useSearchParams()[0].get("marketplace");
  return (shown: Shown = {}) => pathTo("orders", { ...shown, marketplace });
}

/** Returns what opens one of these addresses. */
export function useShowOrders() {
  const path = useOrdersPath();
  const navigate = useNavigate();
  return (shown?: Shown) => void navigate(path(shown));
}
