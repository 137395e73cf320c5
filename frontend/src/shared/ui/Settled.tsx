import { useIsFetching } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

/**
 * Content that is shown once nothing has been fetched for a moment: until then what loads above it
 * would move it. A load that takes longer than 25 such moments is not waited for.
 */
export function Settled(props: { quietMs?: number; children: ReactNode }) {
  const { quietMs = 60 } = props;
  const [isShown, setShown] = useState(false);
  const isLoading = useIsFetching({ predicate: ({ meta }) => !meta?.movesNothing }) > 0;
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), isLoading ? 25 * quietMs : quietMs);
    return () => clearTimeout(timer);
  }, [isLoading, quietMs]);
  return <div className={isShown ? undefined : "invisible"}>{props.children}</div>;
}
