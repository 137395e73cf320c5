/** What others show of the books, loaded when it is shown. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const Books = lazyPart(() => import("./Books").then((m) => m.Books));
export const BooksSettings = lazyPart(() => import("./BooksSettings").then((m) => m.BooksSettings));
