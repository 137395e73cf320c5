import { clsx } from "clsx";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { productName, productVersion } from "@/shared/lib/pageMeta";
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
  const found = sections.filter((section) => fits(section, search.value));
  return (
    <Page>
      <div className="mx-auto max-w-3xl min-[75rem]:max-w-none">
        <PageHeader
          title="Settings"
          description="Each option says whether it is kept on this device or with your account."
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
        <div className="gap-4 min-[75rem]:columns-2 min-[119rem]:columns-3">
          {found.map((section) => (
            <div
              key={section.title}
              id={anchorOf(section)}
              className="mb-4 break-inside-avoid scroll-mt-20"
            >
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
        <p className="py-4 text-center text-muted text-xs">
          {productName()} {productVersion()}
        </p>
      </div>
    </Page>
  );
}
