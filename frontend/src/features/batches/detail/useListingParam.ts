import { useSearchParams } from "react-router-dom";

/** The listing at `?listing=…`, whose progress or result is shown. */
export function useListingParam() {
  const [params, setParams] = useSearchParams();
  const show = (jobId: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (jobId === null) next.delete("listing");
      else next.set("listing", jobId);
      return next;
    });
  return { jobId: params.get("listing"), show };
}
