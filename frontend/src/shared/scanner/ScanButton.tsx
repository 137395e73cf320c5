import { ScanLine } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";

const CameraDialog = lazyPart(() => import("./CameraDialog").then((m) => m.CameraDialog));

/** Opens the camera. Its codes go to the current scan handler (`useScanner`). */
export function ScanButton(props: { label?: string; iconOnly?: boolean; keepOpen?: boolean }) {
  const { label = "Scan a label", iconOnly = false, keepOpen } = props;
  const [open, setOpen] = useState(false);
  const icon = <ScanLine aria-hidden="true" className="size-4" />;
  return (
    <>
      {iconOnly ? (
        <IconButton variant="secondary" label={label} icon={icon} onClick={() => setOpen(true)} />
      ) : (
        <Button icon={icon} onClick={() => setOpen(true)}>
          {label}
        </Button>
      )}
      {open && <CameraDialog onClose={() => setOpen(false)} keepOpen={keepOpen} />}
    </>
  );
}
