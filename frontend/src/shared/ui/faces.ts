/** Addresses of pictures, as the server gives them: see apps/catalog/rules/images.py. */
import { imageHosts } from "@/shared/lib/pageMeta";

const OURS = /^\/pictures\/1\/[0-9a-f]{12}\/[^/]+\/(\d+)\.webp(#plain|#parts)?$/;
const SIZES = [64, 128, 256] as const;

/**
 * Whether the page's Content-Security-Policy allows a picture from there. Loading it anyway would
 * log an error in the console for each row.
 */
export function mayLoad(src: string): boolean {
  if (src.startsWith("data:image/") || src.startsWith("blob:")) return true;
  try {
    const { origin } = new URL(src, window.location.href);
    return origin === window.location.origin || imageHosts().includes(origin);
  } catch {
    return false;
  }
}

/** The picture for this many CSS pixels, and for screens with double density. */
export function sourcesFor(src: string, pixels: number): { src: string; srcSet?: string } {
  if (!OURS.test(src)) return { src };
  const address = src.replace(/#.*/, "");
  const of = (wanted: number) =>
    address.replace(/\d+\.webp$/, `${SIZES.find((size) => size >= wanted) ?? 256}.webp`);
  const [one, two] = [of(pixels), of(pixels * 2)];
  return one === two ? { src: one } : { src: one, srcSet: `${one} 1x, ${two} 2x` };
}

/** Whether the picture is our own render of an LDraw model. */
export const isRender = (src: string): boolean => OURS.test(src);

const LACKS: Record<string, string> = { plain: "print not shown", parts: "some of its parts" };
/** How a picture of ours differs from the item; "" if it shows the item as it is. */
export const lackOf = (src: string): string => LACKS[src.split("#")[1] ?? ""] ?? "";
