import { useState } from "react";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { At } from "./queries";

const SaleRuleDialog = lazyPart(() => import("./SaleRuleDialog").then((m) => m.SaleRuleDialog));

/** Opens what is for sale at one marketplace. */
export function ForSaleButton({ at }: { at: At }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>What is for sale here</Button>
      {isOpen && <SaleRuleDialog at={at} onClose={() => setOpen(false)} />}
    </>
  );
}
