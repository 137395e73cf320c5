/** The sections of the settings page. An option is here once what it governs exists. */
import type { ReactNode } from "react";
import { BackupSettings } from "@/features/backups/public";
import { BooksSettings } from "@/features/books/public";
import { CurrencySetting } from "@/features/inventory/public";
import { IntegrationSettings, PricingSettings } from "@/features/marketplace/public";
import { HookSettings } from "@/features/orders/public";
import { ApiTokens, People, Webhooks } from "@/features/profile/public";
import { EyesSettings } from "@/features/recognition/public";
import type { Operation } from "@/shared/lib/role";
import { useThemeChoice } from "@/shared/lib/useTheme";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { StatePath } from "@/shared/store/paths";
import { ChoiceField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { ExportSettings } from "./ExportSettings";
import { LabelSettings } from "./LabelSettings";
import { LocalData } from "./LocalData";
import { RecommendationSettings } from "./RecommendationSettings";
import { SettingRow, SwitchSetting } from "./SettingRow";
import { StowSettings } from "./StowSettings";

export type Section = {
  title: string;
  /** What is in it, in a few words. */
  about: string;
  /** What the search looks through, beside the title. */
  words: string;
  content: ReactNode;
  /** Left out where the person's role does not allow it. */
  needs?: Operation;
  /** What "Reset section" sets back to its default. */
  resets: readonly StatePath[];
};

export const sections: readonly Section[] = [
  {
    title: "Stow",
    about: "Condition, camera, sounds and keys of the station",
    words:
      "condition new used next item stow at once plan direct webcam camera stay active look for sounds letter keys shortcuts keyboard",
    content: <StowSettings />,
    resets: [
      "itemBeingProcessed.condition",
      "options.stowDirectly",
      "options.webcamStayActive",
      "options.lookupType",
      "options.sounds",
      "options.stationLettersOn",
      "options.stationLetters",
    ],
  },
  {
    title: "Recommendation",
    about: "When a sale counts as recent",
    needs: "write preferences",
    words: "last sold recent moderate old days destination bin",
    content: <RecommendationSettings />,
    resets: [],
  },
  {
    title: "Pricing",
    about: "How your prices are set",
    needs: "write priceRule",
    words: "price rule basis percent rounding minimum low value high value without data reference",
    content: <PricingSettings />,
    resets: [],
  },
  {
    title: "Listing",
    about: "When lots go to your store",
    needs: "write marketplace/listings",
    words: "list with stow marketplace at once",
    content: (
      <SwitchSetting
        path="options.listWithStow"
        label="List with stow"
        hint="Lists each item at the marketplace as soon as it is in its bin."
      />
    ),
    resets: ["options.listWithStow"],
  },
  {
    title: "Batches/tables",
    about: "Whether archived batches are listed",
    words: "show archived batches",
    content: (
      <SwitchSetting
        path="options.showArchivedBatches"
        label="Show archived batches"
        hint="Lists archived batches among the others, greyed, with Restore."
      />
    ),
    resets: ["options.showArchivedBatches"],
  },
  {
    title: "Inventory",
    about: "Sold-out lots, parts in several bins",
    words: "show zero quantity unconsolidated sold out more than one bin",
    content: (
      <>
        <SwitchSetting
          path="options.showZeroQuantity"
          label="Show zero quantity"
          hint="Lists lots that are sold out; their bin and price are remembered."
        />
        <SwitchSetting
          path="options.showUnconsolidated"
          label="Show only parts in several bins"
          hint="Lists only lots that are in more than one bin."
        />
      </>
    ),
    resets: ["options.showZeroQuantity", "options.showUnconsolidated"],
  },
  {
    title: "Catalog",
    about: "Which colours are shown and marked",
    words: "highlight low value lots existing batch item complete minifigs colours",
    content: (
      <>
        <SwitchSetting
          path="options.highlight"
          label="Highlight"
          hint="Marks colours that you own, that are in the chosen batch, and that are worth much."
        />
        <SwitchSetting
          path="options.showLowValueLots"
          label="Show low value lots"
          hint="Off hides colours whose reference price is below the value set under Pricing."
        />
        <SwitchSetting
          path="options.hideExistingBatchItemLots"
          label="Hide existing batch item lots"
          hint="Hides colours that are in the chosen batch already."
        />
        <SwitchSetting
          path="options.completeMinifigs"
          label="Complete minifigs"
          hint="For a part of a minifig, shows the figures that it belongs to."
        />
      </>
    ),
    resets: [
      "options.highlight",
      "options.showLowValueLots",
      "options.hideExistingBatchItemLots",
      "options.completeMinifigs",
    ],
  },
  {
    title: "Buy LEGO",
    about: "Your bids, and how often listings refresh",
    needs: "read auctionListings",
    words: "auction refresh interval bids only my bids by itself",
    content: <AuctionSettings />,
    resets: [
      "options.showOnlyMyBids",
      "options.auctionAutoRefresh",
      "options.auctionAutoRefreshInterval",
    ],
  },
  {
    title: "Labels",
    about: "Paper and printer",
    words: "paper printer sheet roll correction millimetres",
    content: <LabelSettings />,
    resets: [],
  },
  {
    title: "Import/export",
    about: "Format and remarks of the files you export",
    needs: "write exports",
    words: "bsx file format remarks template quantity incomplete bricksync brickstock csv",
    content: <ExportSettings />,
    resets: [],
  },
  {
    title: "Recognition",
    about: "How parts are recognised, and what was learnt",
    needs: "read recognition/captures",
    words: "camera pictures eyes marker card confirmed captures right wrong figures moulds",
    content: <EyesSettings />,
    resets: [],
  },
  {
    title: "Integrations",
    about: "Currency, your store, messages about orders",
    needs: "write marketplaceConnection",
    words:
      "marketplace bricklink brickowl store connect secrets keys api calls left demo test orders address hints webhook currency money",
    content: (
      <>
        <CurrencySetting />
        <IntegrationSettings />
        <HookSettings />
      </>
    ),
    resets: [],
  },
  {
    title: "Books",
    about: "How you are taxed, and the numbers of invoices",
    needs: "write books/settings",
    words:
      "vat tax mode margin scheme small business one-stop-shop oss rate country invoice number series accounts datev xero",
    content: <BooksSettings />,
    resets: [],
  },
  {
    title: "People",
    about: "Who works in your store, and as what",
    words: "helpers members invite roles manager sorter picker employees staff",
    content: <People />,
    needs: "read members",
    resets: [],
  },
  {
    title: "Programs",
    about: "Access for your own programs",
    needs: "read tokens",
    words: "api tokens scripts access scopes revoke webhooks events",
    content: (
      <>
        <ApiTokens />
        <Webhooks />
      </>
    ),
    resets: [],
  },
  {
    title: "Appearance",
    about: "Light or dark",
    words: "theme light dark system colours",
    content: <AppearanceSettings />,
    resets: [],
  },
  {
    title: "Local data",
    about: "What this browser keeps",
    words: "browser storage clear keys bb_setting remove reset",
    content: <LocalData />,
    resets: [],
  },
  {
    title: "Backup",
    about: "Download everything, or restore it",
    needs: "write backups",
    words: "backup restore zip download everything export account move",
    content: <BackupSettings />,
    resets: [],
  },
];

const themes = { system: "System", light: "Light", dark: "Dark" };

function AppearanceSettings() {
  const { choice, choose } = useThemeChoice();
  return (
    <SettingRow label="Theme" hint="System follows your device's setting.">
      <SegmentedControl
        label="Theme"
        value={choice ?? "system"}
        options={themes}
        onChange={(value) => choose(value === "system" ? null : value)}
      />
    </SettingRow>
  );
}

const MINUTE = 60_000;
const intervals = [1, 2, 5, 10, 15, 30, 60].map((minutes) => ({
  value: String(minutes * MINUTE),
  label: minutes === 1 ? "Every minute" : `Every ${minutes} minutes`,
}));

function AuctionSettings() {
  const interval = useClientState("options.auctionAutoRefreshInterval");
  const own = { value: String(interval), label: `Every ${Math.round(interval / 1000)} seconds` };
  const known = intervals.some(({ value }) => value === own.value);
  return (
    <>
      <SwitchSetting
        path="options.showOnlyMyBids"
        label="Show only my bids"
        hint="Lists what you bid on, by your bidder name or a highest bid that you saved."
      />
      <SwitchSetting
        path="options.auctionAutoRefresh"
        label="Refresh by itself"
        hint="Refreshes the listings in view again and again; it pauses while the page is hidden."
      />
      <SettingRow label="Refresh interval" hint="At most once a minute, to be polite to the site.">
        <ChoiceField
          label="Refresh interval"
          hideLabel
          className="w-48"
          value={own.value}
          options={known ? intervals : [own, ...intervals]}
          onChange={(value) => clientStore.set("options.auctionAutoRefreshInterval", Number(value))}
        />
      </SettingRow>
    </>
  );
}
