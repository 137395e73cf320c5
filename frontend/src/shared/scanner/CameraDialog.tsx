import { useState } from "react";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import { CameraView } from "./CameraView";
import { cardOf, locationCode } from "./codes";
import { deliverCard, deliverScan } from "./scans";

/**
 * Reads one label with the camera and closes. The code is handled like one from a hand scanner.
 * With `keepOpen` the dialog continues to read, for a walk along the shelves.
 */
export function CameraDialog(props: { onClose: () => void; keepOpen?: boolean }) {
  const { onClose, keepOpen = false } = props;
  const [read, setRead] = useState<{ text: string; isOurs: boolean } | null>(null);
  const onText = (text: string) => {
    const code = locationCode(text);
    const card = cardOf(text);
    if (card) {
      if (!keepOpen) onClose();
      return deliverCard(card);
    }
    setRead({ text: code ?? text, isOurs: code !== null });
    if (code === null) return;
    navigator.vibrate?.(40);
    if (!keepOpen) onClose();
    deliverScan(code);
  };
  return (
    <Dialog
      onClose={onClose}
      title="Scan a label"
      description="Hold the code of a bin into the frame."
      size="md"
    >
      <div className="flex flex-col gap-3">
        <CameraView onText={onText} />
        <div role="status">
          {read && !read.isOurs && (
            <Notice tone="warning" title="No label of a bin">
              This code says “{read.text.slice(0, 80)}”.
            </Notice>
          )}
          {read?.isOurs && keepOpen && <p className="text-sm">Read: {read.text}</p>}
        </div>
      </div>
    </Dialog>
  );
}
