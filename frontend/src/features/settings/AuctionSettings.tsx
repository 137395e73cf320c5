import { clientStore, useClientState } from "@/shared/store/clientStore";
import { ChoiceField } from "@/shared/ui/Field";
import { SettingRow, SwitchSetting } from "./SettingRow";

const MINUTE = 60_000;
const intervals = [1, 2, 5, 10, 15, 30, 60].map((minutes) => ({
  value: String(minutes * MINUTE),
  label: minutes === 1 ? "Every minute" : `Every ${minutes} minutes`,
}));

export function AuctionSettings() {
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
      <SettingRow
        label="Refresh interval"
        hint="At most once a minute, to be polite to the site."
        home="this device"
      >
        {() => (
          <ChoiceField
            label="Refresh interval"
            hideLabel
            className="w-48"
            value={own.value}
            options={known ? intervals : [own, ...intervals]}
            onChange={(value) =>
              clientStore.set("options.auctionAutoRefreshInterval", Number(value))
            }
          />
        )}
      </SettingRow>
    </>
  );
}
