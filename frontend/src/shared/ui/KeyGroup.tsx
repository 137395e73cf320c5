import { Kbd } from "./Badge";

/** A heading and what each key below it does. */
export function KeyGroup(props: {
  title: string;
  lines: readonly { keys: readonly string[]; does: string }[];
}) {
  const { title, lines } = props;
  if (lines.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1.5 font-semibold text-sm">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ keys, does }) => (
          <div key={does} className="flex items-baseline gap-3">
            <dt className="flex w-32 shrink-0 flex-wrap gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-muted text-sm">{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
