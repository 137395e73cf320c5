import { clsx } from "clsx";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { productName, productVersion } from "@/shared/lib/pageMeta";
import { may } from "@/shared/lib/role";
import { clientStore } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { InputField } from "@/shared/ui/Field";
import { EmptyState } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { type Section, sections } from "./sections";

function fits({ title, words }: Section, search: string): boolean {
  const text = `${title} ${words}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What a link such as `/settings#integrations` names. */
function anchorOf({ title }: Section): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
}

export function SettingsPage() {
  const search = useControl("");
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  const found = sections.filter(
    (section) => (!section.needs || may(section.needs)) && fits(section, search.value),
  );
  return (
    <Page>
      <div className="mx-auto max-w-5xl">
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
        <div className="grid items-start gap-8 lg:grid-cols-[12rem_minmax(0,1fr)]">
          <nav aria-label="Sections" className="sticky top-4 max-lg:hidden">
            <ul className="flex flex-col">
              {found.map((section) => (
                <li key={section.title}>
                  <a
                    href={`#${anchorOf(section)}`}
                    className="block rounded-control px-2.5 py-1.5 text-muted text-sm hover:bg-hover hover:text-ink"
                  >
                    {section.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="min-w-0">
            {found.map((section) => (
              <div key={section.title} id={anchorOf(section)} className="mb-4 scroll-mt-4">
                <Card
                  title={section.title}
                  padded={false}
                  className={clsx("pb-1", section.keeps)}
                  actions={
                    section.resets.length > 0 && (
                      <Button
                        size="sm"
                        variant="ghost"
                        onClick={() => {
                          for (const path of section.resets) clientStore.clear(path);
                        }}
                      >
                        Reset section
                      </Button>
                    )
                  }
                >
                  {section.content}
                </Card>
              </div>
            ))}
            {found.length === 0 && (
              <EmptyState title="No setting matches">Try another word.</EmptyState>
            )}
          </div>
        </div>
        <p className="py-4 text-center text-muted text-xs">
          {productName()} {productVersion()}
        </p>
      </div>
    </Page>
  );
}
