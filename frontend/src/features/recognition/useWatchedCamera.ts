/** The camera, and what it sees: it captures by itself when a part is still, once for each part. */
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import { CUTS, type Cut, captureFrame, type White, whiteOf } from "@/shared/camera/picture";
import { type Look, Presence } from "@/shared/camera/steady";
import { useCamera } from "@/shared/camera/useCamera";
import { type Watch, watchVideo } from "@/shared/camera/watchVideo";

/** What the station's keys do with the camera. */
export type CameraControls = {
  capture: () => void;
  holdOrResume: () => void;
  /** What the camera sees now; null where it is off. */
  photo: () => Promise<Blob> | null;
};

export type WatchedCamera = ReturnType<typeof useWatchedCamera>;

export function useWatchedCamera(given: {
  startsAtOnce: boolean;
  /** Nothing is captured automatically. */
  paused: boolean;
  controls: Ref<CameraControls> | undefined;
  onFrame: (picture: Promise<Blob>) => void;
  onLifted: () => void;
}) {
  const camera = useCamera(given.startsAtOnce);
  const isOn = camera.state === "on";
  const video = useRef<HTMLVideoElement>(null);
  const watch = useRef<Watch | null>(null);
  const presence = useRef(new Presence());
  const [look, setLook] = useState<Look>("empty");
  const [cut, setCut] = useState<Cut>(1);
  const [white, setWhite] = useState<White | null>(null);
  /** A still part cannot be detected: pictures are taken by hand. */
  const [unwatched, setUnwatched] = useState(false);

  const frame = () => (video.current && isOn ? captureFrame(video.current, { cut, white }) : null);
  const send = (picture: Promise<Blob> | null) => picture && given.onFrame(picture);
  /** Takes a picture; switches the camera on where it is off. */
  const capture = () => {
    if (!video.current || !isOn) return camera.start();
    presence.current.byHand();
    send(frame());
  };
  useImperativeHandle(given.controls, () => ({
    capture,
    holdOrResume: () => (isOn ? camera.stop() : camera.start()),
    photo: frame,
  }));

  const onLook = useEffectEvent((next: Look) => {
    setLook(next);
    const happening = presence.current.note(next);
    if (happening === "lifted") given.onLifted();
    // A part put down while the person typed is captured on request, not automatically afterwards.
    if (happening === "capture" && !given.paused) send(frame());
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

  return {
    camera,
    isOn,
    video,
    look,
    unwatched,
    capture,
    cut,
    nextCut: () => setCut(CUTS[(CUTS.indexOf(cut) + 1) % CUTS.length] ?? 1),
    learnGround: () => {
      presence.current = new Presence();
      watch.current?.learnGround();
    },
    white,
    /** Takes the middle of the picture for white, or forgets it. */
    toggleWhite: () => setWhite(white || !video.current ? null : whiteOf(video.current)),
  };
}
