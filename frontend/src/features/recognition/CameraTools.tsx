import { clsx } from "clsx";
import { Camera, Crop, ImageUp, Pause, Sun, Wand2 } from "lucide-react";
import { useRef } from "react";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { Select } from "@/shared/ui/Field";
import { type LookupType, lookupTypes } from "./model";
import type { WatchedCamera } from "./useWatchedCamera";

/** The buttons and settings under the camera's picture. */
export function CameraTools(props: {
  watched: WatchedCamera;
  isIdle: boolean;
  strip: boolean;
  onFile: (file: File) => void;
  onChosen: (() => void) | undefined;
}) {
  const { watched, isIdle, strip } = props;
  const { camera, isOn, cut, white } = watched;
  const staysActive = useClientState("options.webcamStayActive");
  const lookup = useClientState("options.lookupType");
  const pointed = useRef(false);
  return (
    <div className={clsx("flex flex-wrap items-center gap-1.5", strip && "max-lg:hidden")}>
      <Button
        size="sm"
        variant={isOn ? "primary" : "secondary"}
        icon={Camera}
        onClick={watched.capture}
      >
        {isOn ? "Capture" : "Camera on"}{" "}
        {isOn && (
          <span aria-hidden="true" className="pointer-coarse:hidden">
            <Kbd>Space</Kbd>
          </span>
        )}
      </Button>
      <FileButton onFile={props.onFile} />
      <span className={clsx("w-28", isIdle && "hidden")}>
        <Select
          aria-label="Look for"
          value={lookup}
          options={lookupTypes}
          onPointerDown={({ pointerType }) => {
            // By touch, the field would open a keyboard over the camera.
            pointed.current = pointerType === "mouse";
          }}
          onKeyDown={() => {
            pointed.current = false;
          }}
          onChange={({ target }) => {
            clientStore.set("options.lookupType", target.value as LookupType);
            // Arrow keys change it step by step, and stay in it.
            if (pointed.current) props.onChosen?.();
          }}
        />
      </span>
      {isOn && (
        <>
          <IconButton label="Hold the camera" icon={Pause} onClick={camera.stop} />
          <IconButton
            label={`Look at ${cut === 1 ? "all of it" : `the middle ${cut * 100} %`}; change`}
            icon={Crop}
            onClick={watched.nextCut}
          />
          <IconButton
            label="Use the picture as the empty sheet"
            icon={<Wand2 aria-hidden="true" className="size-4" />}
            onClick={watched.learnGround}
          />
          <IconButton
            label={white ? "White as the camera sees it" : "Set white: the middle is white paper"}
            icon={<Sun aria-hidden="true" className={clsx("size-4", white && "text-accent-ink")} />}
            onClick={watched.toggleWhite}
          />
        </>
      )}
      {isIdle ? (
        <p className="text-muted text-sm pointer-coarse:hidden">or drop or paste one</p>
      ) : (
        <CheckField
          label="Stay active"
          title="Off: one match, then the camera rests"
          value={staysActive}
          onChange={(checked) => clientStore.set("options.webcamStayActive", checked)}
        />
      )}
      {camera.devices.length > 1 && (
        <span className="w-40">
          <Select
            aria-label="Which camera"
            value={camera.deviceId || (camera.devices[0]?.deviceId ?? "")}
            options={camera.devices.map(({ deviceId, label }, index) => ({
              value: deviceId,
              label: label || `Camera ${index + 1}`,
            }))}
            onChange={({ target }) => camera.choose(target.value)}
          />
        </span>
      )}
    </div>
  );
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" icon={ImageUp} onClick={() => input.current?.click()}>
        Picture…
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Picture of an item"
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
