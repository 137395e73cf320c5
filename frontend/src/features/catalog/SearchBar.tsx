import { Search } from "lucide-react";
import {
  type ClipboardEvent,
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useId,
} from "react";
import { useSearchParams } from "react-router-dom";
import { idParam } from "@/shared/lib/idParam";
import { type ItemType, isItemType, itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { ChoiceField, Field, Input } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Spinner } from "@/shared/ui/Spinner";
import { Tabs } from "@/shared/ui/Tabs";
import { useAmong } from "./adding/useAmong";
import { onOneLine } from "./severalNumbers";

const ways = [
  { value: "image", label: "Image" },
  { value: "number", label: "Number" },
  { value: "name", label: "Name" },
] as const;
const fields = {
  image: { label: "Number or name", placeholder: "3001, or brick 2 x 4" },
  number: { label: "Item number", placeholder: "3001, or several: 3001, 3004" },
  name: { label: "Item name", placeholder: "brick 2 x 4" },
};
const anyType = { value: "", label: "All types" } as const;
const typeOptions = [
  anyType,
  ...itemTypes.map((type) => ({ value: type, label: itemTypeNames[type] })),
];

/** The camera is a chunk of its own: most searches are typed. */
const ImageSearch = lazyPart(
  () => import("@/features/recognition/public").then((m) => m.ImageSearch),
  <div className="h-7 pointer-coarse:h-9" />,
);

/** Where a batch is added to whose sets are known, their parts come first. */
function PictureSearch(props: Omit<ComponentProps<typeof ImageSearch>, "among" | "onRequest">) {
  const [params] = useSearchParams();
  const among = useAmong(idParam(params, "batch"));
  return <ImageSearch {...props} among={among} onRequest />;
}

/** How one searches: by picture, number or name; and for which type of item. */
export function SearchBar(props: {
  text: string;
  type: ItemType | null;
  searching: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onText: (text: string) => void;
  onType: (type: ItemType | null) => void;
  onSubmit: () => void;
  /** One of the items that a picture showed. */
  onPick: (item: { type: ItemType; number: string }) => void;
  /** A picture showed nothing that is known. */
  onMissed: (search: "image" | "webcam", text: string) => void;
}) {
  const { text, type, searching, onText, onType, onSubmit, onPick, onMissed } = props;
  const hint = useId();
  const way = useClientState("itemBeingProcessed.searchType");
  const setWay = (next: typeof way) => clientStore.set("itemBeingProcessed.searchType", next);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    document.querySelector<HTMLElement>("[data-results] a")?.focus();
  };
  /** A field of one line drops what ends lines, and several numbers would become one. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[\n\r\t]/.test(pasted.trim())) return;
    event.preventDefault();
    onText(onOneLine(pasted));
  };
  const field = (
    <div className="flex items-end gap-2">
      <Field label={fields[way].label} className="flex-1">
        <div className="relative">
          <Search
            aria-hidden="true"
            className="-translate-y-1/2 absolute top-1/2 left-2.5 size-4 text-muted"
          />
          <Input
            ref={props.inputRef}
            type="search"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            maxLength={200}
            placeholder={fields[way].placeholder}
            aria-describedby={hint}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="pr-8 pl-8"
          />
          {searching && (
            <Spinner className="-translate-y-1/2 absolute top-1/2 right-2.5 text-muted" />
          )}
        </div>
      </Field>
      <ChoiceField
        label="Type"
        hideLabel
        className="w-32"
        value={type ?? ""}
        options={typeOptions}
        onChange={(value) => onType(isItemType(value) ? value : null)}
      />
    </div>
  );
  const tabs = ways.map(({ value, label }) => ({
    value,
    label,
    panel: (
      <div className="flex flex-col gap-3">
        {field}
        {value === "image" && (
          <PictureSearch onPick={onPick} onMissed={onMissed} onSearchBy={setWay} />
        )}
      </div>
    ),
  }));
  return (
    <form aria-label="Search" onSubmit={submit} className="flex flex-col gap-3">
      <Tabs
        label="Search by"
        tabs={tabs}
        value={way}
        onChange={(next) => setWay(ways.find(({ value }) => value === next)?.value ?? way)}
      />
      <p id={hint} className="sr-only">
        Results appear as you type. An exact match opens by itself, Enter opens the first one, the
        arrow key down goes to the list.
      </p>
    </form>
  );
}
