import { Ellipsis } from "lucide-react";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { may } from "../lib/role";
import { Button } from "./Button";
import { Menu } from "./Menu";
import type { MenuAction } from "./menuEntry";

/** A page's acts beside its primary one: buttons, or on a phone one menu. */
export function HeadActs({ acts }: { acts: readonly MenuAction[] }) {
  const isPhone = useIsPhone();
  if (isPhone && acts.every(({ needs }) => needs && !may(needs))) return null;
  if (isPhone) return <Menu trigger={<Button icon={Ellipsis}>More</Button>} entries={acts} />;
  return acts.map(({ id, label, icon, disabledReason, needs, run }) => (
    <Button key={id} needs={needs} icon={icon} disabledReason={disabledReason} onClick={run}>
      {label}
    </Button>
  ));
}
