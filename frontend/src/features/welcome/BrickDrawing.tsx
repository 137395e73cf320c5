/** A brick seen from above at an angle, in any colour. Drawn, so that nothing is fetched. */
export function BrickDrawing(props: { html: string; wide: boolean; className?: string }) {
  const { html, wide, className } = props;
  const columns = wide ? 4 : 2;
  const width = columns * 22;
  const studs = Array.from({ length: columns * 2 }, (_, index) => ({
    x: (index < columns ? 22 : 16) + (index % columns) * 22,
    y: index < columns ? 15 : 28,
  }));
  return (
    <svg viewBox={`0 0 ${width + 24} 66`} className={className} aria-hidden="true">
      <path d={`M2 34 14 8h${width}l-12 26z`} fill={html} />
      <path d={`M2 34h${width}v26H2z`} fill={html} filter="brightness(0.86)" />
      <path
        d={`M${width + 2} 34 ${width + 14} 8v26l-12 26z`}
        fill={html}
        filter="brightness(0.7)"
      />
      {studs.map(({ x, y }) => (
        <g key={`${x}:${y}`}>
          <ellipse cx={x} cy={y + 1} rx="7.5" ry="4" fill={html} filter="brightness(0.75)" />
          <ellipse cx={x} cy={y - 2} rx="7.5" ry="4" fill={html} filter="brightness(1.12)" />
        </g>
      ))}
    </svg>
  );
}
