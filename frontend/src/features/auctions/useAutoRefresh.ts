import { useEffect, useRef, useState } from "react";

/**
 * Calls `refresh` each `interval` ms while `isOn` and the page is in sight; returns when it is
 * due next, null when off. What fell due while hidden happens once, when the page is seen again.
 */
export function useAutoRefresh(isOn: boolean, interval: number, refresh: () => void) {
  const latest = useRef(refresh);
  latest.current = refresh;
  const [dueAt, setDueAt] = useState<number | null>(null);

  useEffect(() => {
    if (!isOn) {
      setDueAt(null);
      return;
    }
    let due = Date.now() + interval;
    setDueAt(due);
    const check = () => {
      if (document.hidden || Date.now() < due) return;
      due = Date.now() + interval;
      setDueAt(due);
      latest.current();
    };
    const timer = setInterval(check, 1000);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [isOn, interval]);

  return dueAt;
}
