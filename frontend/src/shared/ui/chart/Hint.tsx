/** What a chart says of the point under the pointer. */
export function Hint({
  title,
  rows,
}: {
  title: string;
  rows: readonly (readonly [string, string])[];
}) {
  return (
    <div className="max-w-64 rounded-control border border-line bg-raised px-2.5 py-1.5 text-ink text-xs shadow-md">
      <p className="break-words font-semibold">{title}</p>
      {rows.map(([name, text]) => (
        <p key={name} className="flex justify-between gap-3">
          <span className="text-muted">{name}</span>
          <span className="tabular-nums">{text}</span>
        </p>
      ))}
    </div>
  );
}
