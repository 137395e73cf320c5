const BINS = [
  ["A-1-01", "brick-2x4-red"],
  ["A-1-02", "brick-2x4-blue"],
  ["A-1-03", "brick-1x2-green"],
  ["A-2-01", "brick-2x2-yellow"],
  ["A-2-02", "brick-1x4-black"],
  ["A-2-03", "tile-2x2-lime"],
] as const;

/** Bins with what lies in them, as the demo has them. */
export function FilledBins() {
  return (
    <div aria-hidden="true" className="grid grid-cols-3 gap-2">
      {BINS.map(([bin, picture]) => (
        <span
          key={bin}
          className="flex w-20 flex-col overflow-hidden rounded-control border border-line bg-surface text-center"
        >
          <img
            src={`/static/icons/samples/${picture}.jpg`}
            alt=""
            className="h-13 w-full scale-125 object-cover"
          />
          <span className="relative bg-surface py-0.5 font-medium text-xs">{bin}</span>
        </span>
      ))}
    </div>
  );
}
