import { clsx } from "clsx";
import {
  Camera,
  CameraOff,
  Crop,
  ImageUp,
  Pause,
  SlidersHorizontal,
  Sun,
  Wand2,
} from "lucide-react";
import { type DragEvent, type Ref, useEffect, useEffectEvent, useRef, useState } from "react";
import { shrunk } from "@/shared/camera/picture";
import type { Look } from "@/shared/camera/steady";
import { cameraTexts, cameraWasOn, type useCamera } from "@/shared/camera/useCamera";
import { isDemoMode } from "@/shared/lib/pageMeta";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { KeyHint } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, Field, Select } from "@/shared/ui/Field";
import { Popover } from "@/shared/ui/Popover";
import { Spinner } from "@/shared/ui/Spinner";
import { CameraNotices } from "./CameraNotices";
import { lookupTypes, type Presence, presenceOf, presenceTexts, type Source } from "./model";
import { type Recognition, seenOf } from "./recognizer";
import { SamplePictures } from "./SamplePictures";
import { type CameraControls, useWatchedCamera, type WatchedCamera } from "./useWatchedCamera";

/**
 * The camera, and every other way for a picture to come in: file, drop, paste. It captures by
 * itself when a part is still, and once for each part; the button or Space captures at once.
 */
export function CameraPane(props: {
  recognition: Recognition;
  /**
   * A text field has the focus, or a dialog is open: nothing is captured automatically meanwhile.
   */
  paused: boolean;
  onPicture: (picture: Blob, source: Source, takenAt: number) => void;
  /** A picture is being taken; it comes to `onPicture` once it is read. */
  onTaking?: () => void;
  onLifted: () => void;
  controls?: Ref<CameraControls>;
  /** Lists what was typed for; said while the service is slow. */
  onSearchBy: (search: "number" | "name") => void;
  /** The card has an item: on a narrow page the picture is a strip, without its settings. */
  strip?: boolean;
  /** The camera waits until the person switches it on. */
  onRequest?: boolean;
  /** What is looked for was chosen by pointer: the focus goes back to where the person types. */
  onChosen?: () => void;
}) {
  const { recognition, onPicture, onTaking, strip = false, onRequest = false } = props;
  const staysActive = useClientState("options.webcamStayActive");
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (source: Source, picture: Promise<Blob>) => {
    const takenAt = Date.now();
    setProblem(null);
    onTaking?.();
    try {
      onPicture(await picture, source, takenAt);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The picture could not be read.");
    }
  };
  const sendFile = (file: File) => void send("image", shrunk(file));
  const watched = useWatchedCamera({
    startsAtOnce: !onRequest,
    paused: props.paused,
    controls: props.controls,
    onFrame: (picture) => void send("webcam", picture),
    onLifted: props.onLifted,
  });
  const { camera, isOn, video, look, cut } = watched;
  const { isOver, drop } = useIncoming(sendFile, () =>
    setProblem("This is no picture: drop a JPEG, PNG or WebP."),
  );
  /** Nothing was asked of the camera yet, so that only the ways to a picture are offered. */
  const isIdle = onRequest && camera.state === "off" && recognition.state === "idle";
  /** The page shows the picture below: of the frame its line of text is left. */
  const isLine = onRequest && !isOn && recognition.state === "found";

  // Without "stays active" one match is what the camera was on for.
  const matched = recognition.state === "found" && recognition.source === "webcam";
  const rest = useEffectEvent(() => !staysActive && camera.stop());
  useEffect(() => {
    if (matched) rest();
  }, [matched]);

  const ring = ringOf(recognition, look);
  return (
    <section
      aria-label="Camera"
      {...drop}
      className={clsx(
        "flex flex-col gap-2 rounded-card",
        isOver && "outline-2 outline-accent outline-offset-4",
      )}
    >
      <div
        className={clsx(
          "relative grid aspect-4/3 max-h-[38dvh] w-full place-items-center overflow-hidden rounded-card border-4 bg-sunken transition-colors lg:aspect-video lg:max-h-none",
          strip && (isOn ? "max-lg:aspect-auto max-lg:h-24" : "max-lg:hidden"),
          isIdle && "hidden",
          isLine && "aspect-auto! h-12",
          // Where there is no picture to see, a phone has the room for what is typed.
          !isOn &&
            !isLine &&
            !(camera.state === "starting" && cameraWasOn()) &&
            "max-lg:aspect-auto max-lg:min-h-22",
          ring.border,
        )}
      >
        <video
          ref={video}
          muted
          playsInline
          aria-label="The camera's picture"
          className={clsx("absolute inset-0 size-full object-cover", !isOn && "hidden")}
        />
        {isOn && cut !== 1 && (
          <span
            aria-hidden="true"
            style={{ inset: `${((1 - cut) / 2) * 100}%` }}
            className="pointer-events-none absolute rounded-control border-2 border-on-accent/80"
          />
        )}
        {!isOn && !isIdle && !isLine && (
          <NoPicture state={camera.state} isShort={recognition.state !== "idle"} />
        )}
        <span
          role="status"
          className="absolute inset-x-2 bottom-2 flex w-fit items-center gap-1.5 justify-self-start rounded-control bg-raised/90 px-2 py-1 font-medium text-xs empty:hidden"
        >
          {recognition.state === "asking" && <Spinner className="text-muted" />}
          {(isOn || recognition.state !== "idle") && ring.text}
        </span>
      </div>
      <CameraNotices
        recognition={recognition}
        problem={problem}
        unwatched={watched.unwatched && isOn}
        onAgain={(picture, source) => void send(source, Promise.resolve(picture))}
        onSearchBy={props.onSearchBy}
      />
      <CameraTools
        watched={watched}
        isIdle={isIdle}
        strip={strip}
        onFile={sendFile}
        onChosen={props.onChosen}
      />
      {isDemoMode() && <SamplePictures onPicture={(picture) => void send("image", picture)} />}
    </section>
  );
}

/** Why there is no picture; the button below it starts the camera. */
function NoPicture(props: {
  state: ReturnType<typeof useCamera>["state"];
  /** The result of a picture is shown below it. */
  isShort: boolean;
}) {
  const { state, isShort } = props;
  if (state === "on") return null;
  if (state === "starting") return <p className="text-muted text-sm">The camera starts…</p>;
  const { title, advice } =
    state === "off"
      ? { title: "The camera is paused", advice: "Drop or paste a picture, or switch it on." }
      : cameraTexts[state];
  return (
    <div className="flex flex-col items-center gap-2 p-4 pb-10 text-center max-lg:gap-0 max-lg:p-2">
      <CameraOff aria-hidden="true" className="size-6 text-muted max-lg:hidden" />
      <p className="font-semibold">{title}</p>
      {!isShort && <p className="max-w-xs text-muted text-sm">{advice}</p>}
    </div>
  );
}

const borders: Record<Presence, string> = {
  PART: "border-success",
  UNSURE: "border-warning",
  NOTHING: "border-danger",
};

/** The frame's colour, and the same in words. */
function ringOf(recognition: Recognition, look: Look): { border: string; text: string } {
  switch (recognition.state) {
    case "asking":
      return { border: "border-info", text: "Recognising…" };
    case "found":
    case "none": {
      const presence = presenceOf(seenOf(recognition));
      return { border: borders[presence], text: presenceTexts[presence] };
    }
    case "failed":
      return { border: "border-danger", text: "Not recognised" };
    case "idle":
      if (look === "moving") return { border: "border-edge", text: "Moving…" };
      if (look === "steady") return { border: "border-accent", text: "Steady" };
      return { border: "border-line", text: "Lay a part down" };
  }
}

/** The buttons and settings under the camera's picture. */
function CameraTools(props: {
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
        {isOn ? "Capture" : "Camera on"} {isOn && <KeyHint>Space</KeyHint>}
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

/** Pictures that are pasted anywhere on the page, or dropped on the pane. */
function useIncoming(onFile: (file: File) => void, onNoPicture: () => void) {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = pictureOf(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      take(file);
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, []);
  const onDragOver = (event: DragEvent) => {
    if (!bringsFile(event.dataTransfer)) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = pictureOf(event.dataTransfer);
    if (file) onFile(file);
    else onNoPicture();
  };
  return { isOver, drop: { onDragOver, onDragLeave: () => setOver(false), onDrop } };
}

/** The first picture of a drop or paste; null where there is none. */
function pictureOf(transfer: DataTransfer | null): File | null {
  const files = [...(transfer?.files ?? [])];
  return files.find(mayBePicture) ?? null;
}

/** Whether something is being dragged that may be a picture: its files cannot be read yet. */
const bringsFile = (transfer: DataTransfer | null): boolean =>
  [...(transfer?.types ?? [])].includes("Files");

/** By type or name; what it really is, the server decides by its content. */
function mayBePicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif)$/i.test(name);
}
