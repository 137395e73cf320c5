import { clsx } from "clsx";
import { ArrowRight, Store } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { demoLogin, logout } from "@/features/auth/public";
import { marketplaceQueries, PullStore } from "@/features/marketplace/public";
import { isDemoMode } from "@/shared/lib/pageMeta";
import { paths, pathTo } from "@/shared/lib/paths";
import { handing } from "@/shared/lib/useHandedFile";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { FileDrop } from "@/shared/ui/FileDrop";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Bricks } from "./Bricks";
import { Checklist } from "./FirstSteps";
import type { FirstStepsDone } from "./model";

/** An empty account: one question, and each answer begins its act; below, the steps one by one. */
export function Arrive({ done }: { done: FirstStepsDone }) {
  const navigate = useNavigate();
  const connection = useSideQuery(marketplaceQueries.connection(), "your store connection");
  return (
    <section className="flex flex-col items-center gap-6 py-4 sm:gap-8 sm:py-10">
      <div className="flex flex-col items-center gap-1.5 text-center">
        <h2 className="font-bold text-3xl tracking-tight sm:text-4xl">What do you have?</h2>
        <p className="text-base text-muted">You can do the others later, in any order.</p>
      </div>
      <div className="grid w-full max-w-5xl gap-4 sm:gap-5 lg:auto-cols-fr lg:grid-flow-col">
        <Answer
          title="A heap of bricks"
          text="Show a part to the camera or type its number. Brickstow shows which bin it goes into."
          picture={<Bricks />}
          isDrawing
        >
          <ButtonLink to={paths.stow} variant="primary" size="lg" className="w-full">
            Start sorting
            <ArrowRight aria-hidden="true" className="size-4" />
          </ButtonLink>
        </Answer>
        <Answer
          title="A store"
          text="Lots, prices, currency and the names of your bins come with it. You see everything before it is imported; nothing in the store changes."
          picture={
            <div className="w-full max-w-72">
              <FileDrop
                label="Choose or drop your store file"
                hint="BSX, BrickLink XML, CSV or a spreadsheet"
                onFile={(file) => void navigate(paths.inventory, handing(file))}
              />
            </div>
          }
        >
          {connection?.has_store && !connection.is_demo ? (
            <PullStore size="lg" className="w-full" />
          ) : (
            <ButtonLink
              to={pathTo("settings", { connect: 1 }, "integrations")}
              size="lg"
              className="w-full"
              icon={Store}
            >
              Connect it
            </ButtonLink>
          )}
        </Answer>
        {isDemoMode() && (
          <Answer
            title="Nothing yet"
            text="Look round a filled account first. Yours stays empty: sign in again to come back to it."
            picture={<FilledBins />}
            isDrawing
          >
            <Button
              size="lg"
              className="w-full"
              onClick={() => {
                logout();
                demoLogin().catch(() => undefined);
              }}
            >
              Show me the demo
            </Button>
          </Answer>
        )}
      </div>
      <div className="w-full max-w-5xl empty:hidden">
        {/* The store is connected from its card above. */}
        <Checklist done={{ ...done, marketplace: true }} />
      </div>
    </section>
  );
}

function Answer(props: {
  title: string;
  text: string;
  picture: ReactNode;
  /** It is only to look at: a phone has better use for the room. */
  isDrawing?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col overflow-hidden rounded-card border border-line bg-surface shadow-card">
      <div
        className={clsx(
          "grid place-items-center bg-sunken p-4 lg:h-52",
          props.isDrawing && "max-sm:hidden",
        )}
      >
        {props.picture}
      </div>
      <div className="flex flex-1 flex-col gap-2 p-4 sm:p-6">
        <h3 className="font-semibold text-lg">{props.title}</h3>
        <p className="mb-4 text-muted">{props.text}</p>
        <div className="mt-auto">{props.children}</div>
      </div>
    </div>
  );
}

const BINS = [
  ["A-1-01", "brick-2x4-red"],
  ["A-1-02", "brick-2x4-blue"],
  ["A-1-03", "brick-1x2-green"],
  ["A-2-01", "brick-2x2-yellow"],
  ["A-2-02", "brick-1x4-black"],
  ["A-2-03", "tile-2x2-lime"],
] as const;

/** Bins with what lies in them, as the demo has them. */
function FilledBins() {
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
