import { useEffect } from "react";
import { HomePage, preloadStow } from "./pages";

/** Home, and while it is looked at, the stow page's chunk on its way: most sittings go on there. */
export function HomeRoute() {
  useEffect(() => {
    const timer = setTimeout(preloadStow, 2000);
    return () => clearTimeout(timer);
  }, []);
  return <HomePage />;
}
