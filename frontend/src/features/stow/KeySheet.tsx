import { Kbd } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { keySheet } from "./keys";

/** Every key of the station, by what one is doing. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const groups = [...new Set(keySheet.map((line) => line.group))];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keys of the station"
      description="While you type, letters and digits are text; once an item is taken they are commands. Alt and a letter works from anywhere."
      size="lg"
      footer={
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="columns-1 gap-8 sm:columns-2">
        {groups.map((group) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1.5 font-semibold text-sm">{group}</h3>
            <dl className="flex flex-col gap-1.5">
              {keySheet
                .filter((line) => line.group === group)
                .map(({ keys, does }) => (
                  <div key={does} className="flex items-baseline gap-3">
                    <dt className="flex w-32 shrink-0 flex-wrap gap-1">
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dt>
                    <dd className="text-muted text-sm">{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
