import { useEffect } from "react";
import { HomePage, StowPage } from "./pages";

/** Home, and while it is looked at, the stow page's chunk on its way: most sittings go on there. */
export function HomeRoute() {
  useEffect(() => {
    const timer = setTimeout(StowPage.preload, 2000);
    return () => clearTimeout(timer);
  }, []);
  return <HomePage />;
}
