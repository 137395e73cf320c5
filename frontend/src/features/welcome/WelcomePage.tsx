import { Boxes, FileSpreadsheet, MapPin, Undo2 } from "lucide-react";
import { demoLogin, useEntryError, useSession } from "@/features/auth/public";
import { isDemoMode, productName } from "@/shared/lib/pageMeta";
import { paths } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { StowLoop } from "./StowLoop";

const promises = [
  {
    icon: <MapPin aria-hidden="true" className="size-5" />,
    title: "Always knows the bin",
    text: "The moment a part is identified you see what you own, where it is and which bin has room, with the reason.",
  },
  {
    icon: <Boxes aria-hidden="true" className="size-5" />,
    title: "Batch by batch",
    text: "One purchase or one evening of sorting is one batch: new, stowed, listed, with its cost and its value.",
  },
  {
    icon: <FileSpreadsheet aria-hidden="true" className="size-5" />,
    title: "At home with BSX",
    text: "Whole stores come in and go out with every field, unknown tags included. You see each change before it happens.",
  },
  {
    icon: <Undo2 aria-hidden="true" className="size-5" />,
    title: "Nothing is lost",
    text: "Every movement of stock is in a ledger that only grows. An import can be undone, to the piece.",
  },
];

export function WelcomePage() {
  const { loading } = useSession();
  const error = useEntryError("demo");
  return (
    <div className="mx-auto my-auto w-full max-w-6xl px-4 sm:px-6">
      <section className="grid items-center gap-10 py-10 lg:grid-cols-2 lg:py-20">
        <div className="flex flex-col items-start gap-5">
          <h1 className="text-balance font-semibold text-4xl tracking-tight sm:text-5xl">
            Sort, stow and sell bricks by the kilo.
          </h1>
          <p className="max-w-prose text-pretty text-base text-muted sm:text-lg">
            {productName()} is the workshop tool for people who buy mixed LEGO by the box and sell
            it by the part: from the sorting table into the right bin, and from there into the shop.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.signUp} variant="primary" size="lg">
              Start with your own stock
            </ButtonLink>
            {isDemoMode() && (
              <Button
                size="lg"
                loading={loading}
                onClick={() => demoLogin().catch(() => undefined)}
              >
                Try the demo store
              </Button>
            )}
          </div>
          {error && <Notice tone="danger">{error}</Notice>}
        </div>
        <StowLoop />
      </section>
      <section
        aria-label="What it does"
        className="grid gap-x-8 gap-y-6 pb-12 sm:grid-cols-2 lg:grid-cols-4"
      >
        {promises.map((promise) => (
          <div key={promise.title} className="flex flex-col gap-1.5">
            <span className="mb-1 flex size-9 items-center justify-center rounded-control bg-accent-tint text-accent-ink">
              {promise.icon}
            </span>
            <h2 className="font-semibold">{promise.title}</h2>
            <p className="text-pretty text-muted">{promise.text}</p>
          </div>
        ))}
      </section>
    </div>
  );
}
