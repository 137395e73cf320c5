import { clsx } from "clsx";
import { Check, Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { Badge, ColorSwatch, Kbd } from "@/shared/ui/Badge";
import { IconButton } from "@/shared/ui/Button";
import { TypeTag } from "@/shared/ui/TypeTag";

const STEP_MS = 4000;
const steps = ["Place a part", "Identify it", "See the bin", "Press Enter", "Next part"] as const;

const parts = [
  { number: "3001", name: "Brick 2 x 4", color: "Red", html: "#c91a09", bin: "B-07", owned: 34 },
  { number: "3003", name: "Brick 2 x 2", color: "Blue", html: "#0055bf", bin: "A-12", owned: 112 },
  { number: "3004", name: "Brick 1 x 2", color: "Yellow", html: "#f2cd37", bin: "C-03", owned: 58 },
];

const prefersStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Twenty seconds of the stow page, drawn: what one does there, again and again. */
export function StowLoop() {
  const [tick, setTick] = useState(() => (prefersStill() ? 3 : 1));
  const [playing, setPlaying] = useState(() => !prefersStill());
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setTick((now) => now + 1), STEP_MS);
    return () => clearInterval(timer);
  }, [playing]);

  const step = tick % steps.length;
  const part = parts[Math.floor(tick / steps.length) % parts.length] ?? parts[0];
  if (!part) return null;
  const at = (first: number) => (step >= first ? "opacity-100" : "opacity-0");

  return (
    <figure className="overflow-hidden rounded-card border border-line bg-surface shadow-float">
      <figcaption className="flex items-center gap-2 border-line border-b px-4 py-2">
        <ol className="flex flex-1 flex-wrap gap-x-3 gap-y-1 text-xs">
          {steps.map((name, index) => (
            <li
              key={name}
              className={index === step ? "font-semibold text-accent-ink" : "text-muted"}
            >
              {index + 1}. {name}
            </li>
          ))}
        </ol>
        <IconButton
          size="sm"
          label={playing ? "Pause" : "Play"}
          icon={
            playing ? (
              <Pause aria-hidden="true" className="size-3.5" />
            ) : (
              <Play aria-hidden="true" className="size-3.5" />
            )
          }
          onClick={() => setPlaying(!playing)}
        />
      </figcaption>
      <div aria-hidden="true" className="grid gap-4 p-4 sm:grid-cols-2">
        <div className="relative grid aspect-4/3 place-items-center rounded-control bg-linear-to-b from-ground to-ground-low">
          <span
            className={clsx(
              "absolute inset-3 rounded border-2 transition-colors duration-500",
              step >= 1 ? "border-success" : "border-line border-dashed",
            )}
          />
          <img
            src={`/static/icons/part-${part.number}.webp`}
            alt=""
            width={256}
            height={256}
            className={clsx(
              "w-3/5 transition-all duration-700",
              step === 4 ? "translate-y-6 opacity-0" : "opacity-100",
            )}
          />
        </div>
        <div className="flex flex-col gap-2">
          <div className={clsx("flex flex-col gap-1 transition-opacity duration-500", at(1))}>
            <span className="flex items-center gap-2">
              <TypeTag type="PART" />
              <span className="font-mono text-muted text-xs">{part.number}</span>
            </span>
            <span className="font-semibold text-base">{part.name}</span>
            <span className="flex items-center gap-1.5">
              <ColorSwatch html={part.html} /> {part.color}
            </span>
          </div>
          <div
            className={clsx(
              "mt-auto rounded-control bg-accent-tint px-3 py-2 transition-opacity duration-500",
              at(2),
            )}
          >
            <div className="font-semibold text-4xl text-accent-ink tracking-tight">{part.bin}</div>
            <div className="text-xs">Same part, same colour: {part.owned} there</div>
          </div>
          <div
            className={clsx(
              "flex items-center justify-between transition-opacity duration-500",
              at(3),
            )}
          >
            <Kbd>Enter</Kbd>
            <Badge tone="success" icon={<Check className="size-3" />}>
              Added
            </Badge>
          </div>
        </div>
      </div>
    </figure>
  );
}
