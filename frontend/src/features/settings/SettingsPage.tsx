import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { productName, productVersion } from "@/shared/lib/pageMeta";
import { may } from "@/shared/lib/role";
import { clientStore } from "@/shared/store/clientStore";
import { Button, PlainButton } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { InputField } from "@/shared/ui/Field";
import { EmptyState } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { type Section, sections } from "./sections";

function fits({ title, about, words }: Section, search: string): boolean {
  const text = `${title} ${about} ${words}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What a link such as `/settings#integrations` names. */
function anchorOf({ title }: Section): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
}

/** The section that a parameter of the address asks for. */
const ASKED = [
  ["restore", "backup"],
  ["connect", "integrations"],
] as const;

/** The sections as a list; the one that a link names, or that a search finds, is open. */
export function SettingsPage() {
  const search = useControl("");
  const { hash } = useLocation();
  const [params] = useSearchParams();
  const asked = ASKED.find(([param]) => params.has(param))?.[1] ?? hash.slice(1);
  const found = sections.filter(
    (section) => (!section.needs || may(section.needs)) && fits(section, search.value),
  );
  return (
    <Page narrow>
      <PageHeader
        title="Settings"
        actions={
          <InputField
            label="Search settings"
            hideLabel
            className="w-56"
            type="search"
            placeholder="Search settings"
            {...search}
          />
        }
      />
      {found.length > 0 ? (
        <div className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
          {found.map((section) => (
            <Folded
              key={section.title}
              section={section}
              isFound={search.value.trim() !== ""}
              isNamed={asked === anchorOf(section)}
            />
          ))}
        </div>
      ) : (
        <EmptyState title="No setting matches">Try another word.</EmptyState>
      )}
      <p className="py-4 text-center text-muted text-xs">
        {productName()} {productVersion()}
      </p>
    </Page>
  );
}

function Folded(props: { section: Section; isFound: boolean; isNamed: boolean }) {
  const { section, isFound, isNamed } = props;
  const { title, about, resets, content } = section;
  const id = anchorOf(section);
  const [opened, setOpened] = useState(isNamed);
  const isOpen = opened || isFound;
  useEffect(() => {
    if (!isNamed) return;
    setOpened(true);
    document.getElementById(id)?.scrollIntoView();
  }, [isNamed, id]);
  return (
    <section
      id={id}
      data-named={isNamed ? "" : undefined}
      // What a link opens loads with the page: it would move the sections below.
      className="scroll-mt-4 [[data-named]:has([data-loading])~&]:invisible"
    >
      <header className="relative flex items-center gap-x-3 rounded-card px-4 py-3 hover:bg-hover">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-sm">
            <PlainButton
              aria-expanded={isOpen}
              onClick={() => setOpened(!isOpen)}
              className="after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              {title}
            </PlainButton>
          </h2>
          <p className="text-muted text-xs">{about}</p>
        </div>
        <ChevronRight
          aria-hidden="true"
          className={clsx("size-4 shrink-0 text-muted transition-transform", isOpen && "rotate-90")}
        />
      </header>
      {isOpen && (
        <div className="pb-3">
          {content}
          {resets.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              className="mx-2"
              onClick={() => {
                for (const path of resets) clientStore.clear(path);
              }}
            >
              Reset section
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
