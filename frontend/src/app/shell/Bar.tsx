import { CircleUserRound, Menu as MenuIcon, Moon, Search, Sun, X } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { NavLink, useLocation } from "react-router-dom";
import { logout, useUser } from "@/features/auth/public";
import { orderQueries } from "@/features/orders/public";
import { LogOutDialog, UnsentCount } from "@/features/outbox/public";
import { isUploading } from "@/shared/api/uploads";
import { paths } from "@/shared/lib/paths";
import { unsentCount } from "@/shared/lib/person";
import { useThemeChoice } from "@/shared/lib/useTheme";
import { IconButton } from "@/shared/ui/Button";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { openPalette } from "../palette/PaletteLayer";
import { Brand } from "./Brand";
import { Dropdown } from "./Dropdown";
import {
  barEntries,
  inventoryEntries,
  type NavEntry,
  ordersEntry,
  shown,
  userEntries,
} from "./navigation";
import { useDismissal } from "./useDismissal";

const ASKED_AGAIN_AFTER = 60_000;

/** The bar's entries: with Orders while a store is connected or an order exists. */
function useBarEntries(): readonly NavEntry[] {
  const data = useSideQuery(
    { ...orderQueries.waiting(), staleTime: ASKED_AGAIN_AFTER },
    "your orders",
  );
  return shown(data?.is_shown ? [...barEntries, ordersEntry] : barEntries);
}

/** Of who works in several stores. */
const StoreSwitch = lazyPart(() => import("./StoreSwitch").then((m) => m.StoreSwitch));

type Name = "inventory" | "user" | "small" | "store";

const entryClass =
  "inline-flex h-8 items-center rounded-control px-2.5 font-medium text-muted text-sm hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink aria-expanded:bg-hover aria-expanded:text-ink";

/** The navigation bar. One dropdown is open at a time, so which one is a single value. */
export function Bar() {
  const [open, setOpen] = useState<Name | null>(null);
  const { pathname } = useLocation();
  const close = useCallback(() => setOpen(null), []);
  const toggle = (name: Name) => setOpen((current) => (current === name ? null : name));
  const header = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  useDismissal({ open: open === "small", onClose: close, holder: header, opener: menuButton });
  const [asks, setAsks] = useState<"unsent" | "unsaved" | null>(null);
  const askToLogOut = () => {
    if (unsentCount() > 0) setAsks("unsent");
    else if (isAnythingUnsaved()) setAsks("unsaved");
    else logout();
  };
  const barEntries = useBarEntries();
  const user = useUser();
  const hasStores = (user?.stores?.length ?? 0) > 1;
  const inInventory = inventoryEntries.some((entry) => entry.to === pathname);

  return (
    <header ref={header} className="z-header sticky top-0 shrink-0 border-line border-b bg-surface">
      <div className="flex h-13 items-center gap-2 px-4 sm:gap-4 sm:px-6">
        <Brand to={paths.home} isShort={hasStores} />
        {hasStores && (
          <StoreSwitch
            className={`${entryClass} gap-1.5`}
            open={open === "store"}
            onToggle={() => toggle("store")}
            onClose={close}
            isUnsaved={() => unsentCount() > 0 || isAnythingUnsaved()}
          />
        )}
        <nav aria-label="Main" className="hidden min-w-0 items-center gap-0.5 lg:flex">
          {barEntries.map((entry) => (
            <NavLink key={entry.to} to={entry.to} className={entryClass}>
              {entry.label}
            </NavLink>
          ))}
          <Dropdown
            label="My Inventory"
            trigger="My Inventory"
            triggerClass={`${entryClass} ${inInventory ? "bg-hover text-ink" : ""}`}
            entries={inventoryEntries}
            open={open === "inventory"}
            onToggle={() => toggle("inventory")}
            onClose={close}
          />
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <UnsentCount />
          <IconButton
            label="Find (Ctrl+K)"
            icon={<Search aria-hidden="true" className="size-[18px]" />}
            onClick={openPalette}
          />
          <ThemeToggle />
          <Dropdown
            label="User menu"
            trigger={<CircleUserRound aria-hidden="true" className="size-[18px]" />}
            triggerClass="inline-flex size-8 items-center justify-center rounded-control hover:bg-hover aria-expanded:bg-hover pointer-coarse:size-10"
            entries={userEntries}
            open={open === "user"}
            onToggle={() => toggle("user")}
            onClose={close}
            onAction={askToLogOut}
            align="right"
          />
          <span className="lg:hidden">
            <IconButton
              label={open === "small" ? "Close menu" : "Menu"}
              ref={menuButton}
              aria-expanded={open === "small"}
              icon={
                open === "small" ? (
                  <X aria-hidden="true" className="size-[18px]" />
                ) : (
                  <MenuIcon aria-hidden="true" className="size-[18px]" />
                )
              }
              onClick={() => toggle("small")}
            />
          </span>
        </div>
      </div>
      {open === "small" && <SmallMenu entries={barEntries} onChosen={close} />}
      {asks === "unsent" && <LogOutDialog onClose={() => setAsks(null)} />}
      <ConfirmDialog
        open={asks === "unsaved"}
        title="Log out without saving?"
        confirmLabel="Log out"
        danger
        onConfirm={logout}
        onClose={() => setAsks(null)}
      >
        You have unsaved changes. They are lost when you log out.
      </ConfirmDialog>
    </header>
  );
}

function ThemeToggle() {
  const { theme, choose } = useThemeChoice();
  const dark = theme === "dark";
  return (
    <IconButton
      label={dark ? "Switch to light theme" : "Switch to dark theme"}
      icon={
        dark ? (
          <Sun aria-hidden="true" className="size-[18px]" />
        ) : (
          <Moon aria-hidden="true" className="size-[18px]" />
        )
      }
      onClick={() => choose(dark ? "light" : "dark")}
    />
  );
}

/** Whether signing out would lose what stops a reload: typed input, edits on their way. */
function isAnythingUnsaved(): boolean {
  const asked = new Event("beforeunload", { cancelable: true });
  return !window.dispatchEvent(asked) || isUploading();
}

/** The bar's entries on a small screen: the same ones, under each other. */
function SmallMenu({ entries, onChosen }: { entries: readonly NavEntry[]; onChosen: () => void }) {
  return (
    <nav
      aria-label="Main"
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-3.25rem)] animate-fade-in overflow-y-auto border-line border-b bg-surface px-4 pt-2 pb-3 shadow-float lg:hidden"
    >
      <Entries entries={entries} onChosen={onChosen} />
      <p className="px-2.5 pt-3 pb-1 font-medium text-muted text-xs">My Inventory</p>
      <Entries entries={inventoryEntries} onChosen={onChosen} />
    </nav>
  );
}

function Entries({ entries, onChosen }: { entries: readonly NavEntry[]; onChosen: () => void }) {
  return (
    <ul>
      {shown(entries).map((entry) => (
        <li key={entry.to}>
          <NavLink
            to={entry.to}
            onClick={onChosen}
            className="flex h-11 items-center rounded-control px-2.5 font-medium hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:text-accent-ink"
          >
            {entry.label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
