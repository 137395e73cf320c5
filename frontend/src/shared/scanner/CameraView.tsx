import { Flashlight } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { IconButton } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { newQrReader } from "./qrReader";

/** Interval of reading without a result; slow enough to keep a phone cool. */
const PAUSE_MS = 120;
/** The same code in consecutive pictures counts as one scan. */
const SAME_AGAIN_MS = 2000;

/** The camera's picture. Each code that appears in it is reported once. */
export function CameraView({ onText }: { onText: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const tell = useEffectEvent(onText);

  useEffect(() => {
    let stopped = false;
    let timer: number | undefined;
    let stream: MediaStream | null = null;
    let last = { text: "", at: 0 };

    const begin = async () => {
      stream = await openCamera();
      const element = video.current;
      if (stopped || !element) return stream.getTracks().forEach((one) => void one.stop());
      element.srcObject = stream;
      setTrack(stream.getVideoTracks()[0] ?? null);
      const [read] = await Promise.all([newQrReader(), element.play()]);
      const look = async () => {
        const text = await read(element).catch(() => null);
        if (stopped) return;
        const now = performance.now();
        if (text && (text !== last.text || now - last.at > SAME_AGAIN_MS)) tell(text);
        if (text) last = { text, at: now };
        timer = window.setTimeout(() => void look(), PAUSE_MS);
      };
      void look();
    };
    void begin().catch((error: unknown) => !stopped && setProblem(whyNoCamera(error)));
    return () => {
      stopped = true;
      window.clearTimeout(timer);
      for (const one of stream?.getTracks() ?? []) one.stop();
    };
  }, []);

  if (problem) {
    return (
      <Notice tone="warning" title="The camera cannot be used">
        {problem}
      </Notice>
    );
  }
  return (
    <div className="relative overflow-hidden rounded-card bg-sunken">
      <video
        ref={video}
        muted
        playsInline
        aria-label="The camera's picture"
        className="aspect-square max-h-[60dvh] w-full object-cover sm:aspect-video"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-[18%] rounded-card border-2 border-accent"
      />
      {track && <Torch track={track} />}
    </div>
  );
}

function Torch({ track }: { track: MediaStreamTrack }) {
  const [on, setOn] = useState(false);
  // Chromium on Android supports it; TypeScript's DOM types lack it.
  const canLight = "torch" in (track.getCapabilities?.() ?? {});
  if (!canLight) return null;
  const toggle = async () => {
    const torch: MediaTrackConstraintSet & { torch: boolean } = { torch: !on };
    await track.applyConstraints({ advanced: [torch] });
    setOn(!on);
  };
  return (
    <div className="absolute right-2 bottom-2">
      <IconButton
        variant="secondary"
        label={on ? "Light off" : "Light on"}
        icon={Flashlight}
        onClick={() => void toggle().catch(() => setOn(false))}
      />
    </div>
  );
}

function openCamera(): Promise<MediaStream> {
  // Browsers lack this API where the page did not come over TLS.
  if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

function whyNoCamera(error: unknown): string {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
      return "Its use was refused. Allow it in the browser's settings of this page, then open this again.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "No camera was found on this device.";
    case "NotReadableError":
    case "AbortError":
      return "Another program is using it.";
    case "SecurityError":
      return "The browser gives the camera only to pages that come over HTTPS.";
    default:
      return "It did not start. A hand scanner works on every page without it.";
  }
}
