import { clsx } from "clsx";
import { Camera, Crop, ImageUp, Pause, SlidersHorizontal, Sun, Wand2 } from "lucide-react";
import { useRef } from "react";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, Field, Select } from "@/shared/ui/Field";
import { Popover } from "@/shared/ui/Popover";
import { lookupTypes } from "./model";
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
  const { camera, isOn } = watched;
  return (
    <div className={clsx("flex flex-wrap items-center gap-1.5", strip && "max-lg:hidden")}>
      <Button size="sm" icon={Camera} onClick={watched.capture}>
        {isOn ? "Capture" : "Camera on"}{" "}
        {isOn && (
          <span aria-hidden="true" className="pointer-coarse:hidden">
            <Kbd>Space</Kbd>
          </span>
        )}
      </Button>
      <FileButton onFile={props.onFile} isShort={isOn} />
      {isOn && <IconButton label="Hold the camera" icon={Pause} onClick={camera.stop} />}
      {isIdle ? (
        <p className="text-muted text-sm pointer-coarse:hidden">or drop or paste one</p>
      ) : (
        <CameraSettings watched={watched} onChosen={props.onChosen} />
      )}
    </div>
  );
}

/** What is set once for a camera and its light. */
function CameraSettings(props: { watched: WatchedCamera; onChosen: (() => void) | undefined }) {
  const { camera, isOn, cut, white, nextCut, learnGround, toggleWhite } = props.watched;
  const staysActive = useClientState("options.webcamStayActive");
  const lookup = useClientState("options.lookupType");
  const pointed = useRef(false);
  return (
    <Popover
      label="Camera settings"
      align="start"
      trigger={<IconButton label="Camera settings" icon={SlidersHorizontal} />}
    >
      <div className="flex w-64 flex-col gap-3">
        <ChoiceField
          label="Look for"
          value={lookup}
          options={lookupTypes}
          onPointerDown={({ pointerType }) => {
            // By touch, the field would open a keyboard over the camera.
            pointed.current = pointerType === "mouse";
          }}
          onKeyDown={() => {
            pointed.current = false;
          }}
          onChange={(type) => {
            clientStore.set("options.lookupType", type);
            // Arrow keys change it step by step, and stay in it.
            if (pointed.current) props.onChosen?.();
          }}
        />
        {camera.devices.length > 1 && (
          <Field label="Which camera">
            <Select
              value={camera.deviceId || (camera.devices[0]?.deviceId ?? "")}
              options={camera.devices.map(({ deviceId, label }, index) => ({
                value: deviceId,
                label: label || `Camera ${index + 1}`,
              }))}
              onChange={({ target }) => camera.choose(target.value)}
            />
          </Field>
        )}
        <CheckField
          label="Stay active"
          title="Off: one match, then the camera rests"
          value={staysActive}
          onChange={(checked) => clientStore.set("options.webcamStayActive", checked)}
        />
        {isOn && (
          <div className="flex flex-col items-stretch gap-1.5">
            <Button size="sm" icon={Crop} onClick={nextCut}>
              {cut === 1 ? "Look at the middle only" : `Change from the middle ${cut * 100} %`}
            </Button>
            <Button size="sm" icon={Wand2} onClick={learnGround}>
              Use the picture as the empty sheet
            </Button>
            <Button size="sm" icon={Sun} onClick={toggleWhite}>
              {white ? "White as the camera sees it" : "Set white: the middle is white paper"}
            </Button>
          </div>
        )}
      </div>
    </Popover>
  );
}

function FileButton(props: { onFile: (file: File) => void; isShort: boolean }) {
  const { onFile, isShort } = props;
  const input = useRef<HTMLInputElement>(null);
  const open = () => input.current?.click();
  return (
    <>
      {isShort ? (
        <IconButton label="Picture…" icon={ImageUp} onClick={open} />
      ) : (
        <Button size="sm" icon={ImageUp} onClick={open}>
          Picture…
        </Button>
      )}
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
