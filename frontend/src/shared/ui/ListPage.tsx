import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { idParam } from "@/shared/lib/idParam";
import { Page } from "./Card";

/**
 * A page of many things: all of them, or one of them where the address names it. `one`: how each
 * parameter is shown, `{ batch: (id) => … }` at `?batch=12`. The first one in the address counts.
 */
export function ListPage(props: {
  one: Readonly<Record<string, (id: number) => ReactNode>>;
  children: ReactNode;
}) {
  const [params] = useSearchParams();
  for (const [name, draw] of Object.entries(props.one)) {
    const id = idParam(params, name);
    if (id !== null) return <Page wide>{draw(id)}</Page>;
  }
  return <Page wide>{props.children}</Page>;
}
