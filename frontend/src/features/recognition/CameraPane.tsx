import { clsx } from "clsx";
import { Camera, CameraOff, Crop, ImageUp, Pause, Sun, Wand2 } from "lucide-react";
import {
  type DragEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { CUTS, type Cut, captureFrame, shrunk, type White, whiteOf } from "@/shared/camera/picture";
import { type Look, Presence } from "@/shared/camera/steady";
import { cameraTexts, useCamera } from "@/shared/camera/useCamera";
import { type Watch, watchVideo } from "@/shared/camera/watchVideo";
import { isDemoMode } from "@/shared/lib/pageMeta";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Select } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { Notice } from "@/shared/ui/states";
import { bringsFile, pictureOf } from "./incoming";
import { isCertain, type LookupType, lookupTypes, type Source } from "./model";
import { type Recognition, seenOf } from "./recognizer";
import { SamplePictures } from "./SamplePictures";

/** What the station's keys do with the camera. */
export type CameraControls = {
  capture: () => void;
  holdOrResume: () => void;
  /** What the camera sees now; null where it is off. */
  photo: () => Promise<Blob> | null;
};

/** A service that takes longer is said to be slow. */
const SLOW_MS = 2000;

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
  onLifted: () => void;
  controls?: Ref<CameraControls>;
  /** Lists what was typed for; said while the service is slow. */
  onSearchBy: (search: "number" | "name") => void;
  /** Said of a match above the thresholds: what the page does with it. */
  certainText: string;
  /** The card has an item: on a narrow page the picture is a strip, without its settings. */
  strip?: boolean;
  /** The camera waits until the person switches it on. */
  onRequest?: boolean;
  /** What is looked for was chosen by pointer: the focus goes back to where the person types. */
  onChosen?: () => void;
}) {
  const { recognition, paused, onPicture, onLifted, controls, onSearchBy, strip = false } = props;
  const { onRequest = false } = props;
  const staysActive = useClientState("options.webcamStayActive");
  const lookup = useClientState("options.lookupType");
  const camera = useCamera(!onRequest);
  const video = useRef<HTMLVideoElement>(null);
  const watch = useRef<Watch | null>(null);
  const presence = useRef(new Presence());
  const pointed = useRef(false);
  const [look, setLook] = useState<Look>("empty");
  const [cut, setCut] = useState<Cut>(1);
  const [white, setWhite] = useState<White | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** A still part cannot be detected: pictures are taken by hand. */
  const [unwatched, setUnwatched] = useState(false);
  const [over, setOver] = useState(false);
  const isOn = camera.state === "on";
  /** Nothing was asked of the camera yet, so that only the ways to a picture are offered. */
  const isIdle = onRequest && camera.state === "off" && recognition.state === "idle";

  const send = async (source: Source, picture: Promise<Blob>) => {
    const takenAt = Date.now();
    setProblem(null);
    try {
      onPicture(await picture, source, takenAt);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The picture could not be read.");
    }
  };
  const capture = () => {
    if (!video.current || !isOn) return camera.start();
    presence.current.byHand();
    void send("webcam", captureFrame(video.current, { cut, white }));
  };
  useImperativeHandle(controls, () => ({
    capture,
    holdOrResume: () => (isOn ? camera.stop() : camera.start()),
    photo: () => (video.current && isOn ? captureFrame(video.current, { cut, white }) : null),
  }));

  const onLook = useEffectEvent((next: Look) => {
    setLook(next);
    const happening = presence.current.note(next);
    if (happening === "lifted") onLifted();
    // A part put down while the person typed is captured on request, not automatically afterwards.
    if (happening === "capture" && !paused && video.current) {
      void send("webcam", captureFrame(video.current, { cut, white }));
    }
  });
  const cutNow = useEffectEvent(() => cut);
  useEffect(() => {
    const element = video.current;
    if (!element || !camera.stream) return;
    element.srcObject = camera.stream;
    void element.play().catch(() => undefined);
    presence.current = new Presence();
    const begun = watchVideo(
      element,
      () => cutNow(),
      (next) => onLook(next),
      () => setUnwatched(true),
    );
    watch.current = begun;
    return () => {
      begun.stop();
      watch.current = null;
      setLook("empty");
      setUnwatched(false);
    };
  }, [camera.stream]);

  // Without "stays active" one match is what the camera was on for.
  const matched = recognition.state === "found" && recognition.source === "webcam";
  const rest = useEffectEvent(() => !staysActive && camera.stop());
  useEffect(() => {
    if (matched) rest();
  }, [matched]);

  const take = useEffectEvent((file: File | null) => {
    if (file) void send("image", shrunk(file));
  });
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
    if (file) void send("image", shrunk(file));
    else setProblem("This is no picture: drop a JPEG, PNG or WebP.");
  };

  const isSlow = useSlow(recognition);
  const ring = ringOf(recognition, look, props.certainText);
  return (
    <section
      aria-label="Camera"
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={clsx(
        "flex flex-col gap-2 rounded-card",
        over && "outline-2 outline-accent outline-offset-4",
      )}
    >
      <div
        className={clsx(
          "relative grid aspect-4/3 max-h-[38dvh] w-full place-items-center overflow-hidden rounded-card border-4 bg-sunken transition-colors lg:max-h-none",
          strip && (isOn ? "max-lg:aspect-auto max-lg:h-24" : "max-lg:hidden"),
          isIdle && "hidden",
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
        {!isOn && !isIdle && <NoPicture state={camera.state} />}
        <span
          role="status"
          className="absolute inset-x-2 bottom-2 flex w-fit items-center gap-1.5 justify-self-start rounded-control bg-raised/90 px-2 py-1 font-medium text-xs empty:hidden"
        >
          {recognition.state === "asking" && <Spinner className="text-muted" />}
          {(isOn || recognition.state !== "idle") && ring.text}
        </span>
      </div>
      {isSlow && (
        <Notice
          tone="warning"
          title="The recogniser is slow"
          actions={
            <Button size="sm" onClick={() => onSearchBy("number")}>
              Search by number
            </Button>
          }
        >
          Go on by number or name; its answer is not waited for.
        </Notice>
      )}
      {recognition.state === "failed" && !problem && (
        <Notice
          tone="warning"
          title="Not recognised"
          actions={
            <>
              {recognition.mayRepeat && (
                <Button
                  size="sm"
                  onClick={() => onPicture(recognition.picture, recognition.source, Date.now())}
                >
                  Ask again
                </Button>
              )}
              <Button size="sm" onClick={() => onSearchBy("number")}>
                Search by number
              </Button>
            </>
          }
        >
          {recognition.text}
        </Notice>
      )}
      {problem && <Notice tone="warning">{problem}</Notice>}
      {unwatched && isOn && (
        <Notice tone="warning" title="The camera does not capture by itself">
          A part of the page did not load. Press Capture or Space for each part, or reload the page.
        </Notice>
      )}
      <div className={clsx("flex flex-wrap items-center gap-1.5", strip && "max-lg:hidden")}>
        <Button size="sm" variant={isOn ? "primary" : "secondary"} icon={Camera} onClick={capture}>
          {isOn ? "Capture" : "Camera on"}{" "}
          {isOn && (
            <span aria-hidden="true" className="pointer-coarse:hidden">
              <Kbd>Space</Kbd>
            </span>
          )}
        </Button>
        <FileButton onFile={(file) => void send("image", shrunk(file))} />
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
              onClick={() => setCut(CUTS[(CUTS.indexOf(cut) + 1) % CUTS.length] ?? 1)}
            />
            <IconButton
              label="Use the picture as the empty sheet"
              icon={<Wand2 aria-hidden="true" className="size-4" />}
              onClick={() => {
                presence.current = new Presence();
                watch.current?.learnGround();
              }}
            />
            <IconButton
              label={white ? "White as the camera sees it" : "Set white: the middle is white paper"}
              icon={
                <Sun aria-hidden="true" className={clsx("size-4", white && "text-accent-ink")} />
              }
              onClick={() => setWhite(white || !video.current ? null : whiteOf(video.current))}
            />
          </>
        )}
        {isIdle ? (
          <p className="text-muted text-sm pointer-coarse:hidden">or drop or paste one</p>
        ) : (
          <Checkbox
            label="Stay active"
            title="Off: one match, then the camera rests"
            checked={staysActive}
            onChange={({ target }) => clientStore.set("options.webcamStayActive", target.checked)}
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
      {isDemoMode() && <SamplePictures onPicture={(picture) => void send("image", picture)} />}
    </section>
  );
}

/** Why there is no picture; the button below it starts the camera. */
function NoPicture({ state }: { state: ReturnType<typeof useCamera>["state"] }) {
  if (state === "on") return null;
  if (state === "starting") return <p className="text-muted text-sm">The camera starts…</p>;
  const { title, advice } =
    state === "off"
      ? { title: "The camera is on hold", advice: "Drop or paste a picture, or switch it on." }
      : cameraTexts[state];
  return (
    <div className="flex max-w-xs flex-col items-center gap-2 p-4 pb-10 text-center">
      <CameraOff aria-hidden="true" className="size-6 text-muted" />
      <p className="font-semibold">{title}</p>
      <p className="text-muted text-sm">{advice}</p>
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

/** The frame's colour, and the same in words. */
function ringOf(
  recognition: Recognition,
  look: Look,
  certainText: string,
): { border: string; text: string } {
  switch (recognition.state) {
    case "asking":
      return { border: "border-info", text: "Recognising…" };
    case "found":
      return isCertain(seenOf(recognition))
        ? { border: "border-success", text: certainText }
        : { border: "border-warning", text: "Look at the matches" };
    case "none":
      return { border: "border-danger", text: "No match" };
    case "failed":
      return { border: "border-danger", text: "Not recognised" };
    case "idle":
      if (look === "moving") return { border: "border-edge", text: "Moving…" };
      if (look === "steady") return { border: "border-accent", text: "Steady" };
      return { border: "border-line", text: "Lay a part down" };
  }
}

function useSlow(recognition: Recognition): boolean {
  const [slow, setSlow] = useState(false);
  const askedAt = recognition.state === "asking" ? recognition.askedAt : null;
  useEffect(() => {
    if (askedAt === null) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [askedAt]);
  return slow;
}
