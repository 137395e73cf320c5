import { useCallback, useEffect, useRef, useState } from "react";
import { getSetting, setSetting } from "@/shared/lib/localSettings";

/** The state of the camera: on, or the reason why there is no picture. */
export type CameraState =
  | "off"
  | "starting"
  | "on"
  | "denied"
  | "missing"
  | "busy"
  | "insecure"
  | "failed";

const DEVICE = "cameraDevice";
const WAS_ON = "cameraWasOn";

/** Whether a camera was on here the last time that one was asked for. */
export const cameraWasOn = () => getSetting<boolean>(WAS_ON) === true;

/** The message and the advice where the camera gives no picture. */
export const cameraTexts: Record<
  Exclude<CameraState, "on" | "off" | "starting">,
  { title: string; advice: string }
> = {
  denied: {
    title: "The camera is not allowed",
    advice: "Allow it in the browser's settings of this page, then start it.",
  },
  missing: {
    title: "No camera was found",
    advice: "Plug one in, drop or paste a picture, or search by number.",
  },
  busy: {
    title: "The camera is busy",
    advice: "Another program is using it. Close that one, then start the camera.",
  },
  insecure: {
    title: "The camera needs HTTPS",
    advice: "Browsers give it only to pages that come over HTTPS, or from this machine.",
  },
  failed: {
    title: "The camera did not start",
    advice: "Start it again, drop or paste a picture, or search by number.",
  },
};

/** The state for an error of getUserMedia. */
function stateOfError(error: unknown): CameraState {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "missing";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    case "SecurityError":
      return "insecure";
    default:
      return "failed";
  }
}

export type Camera = {
  state: CameraState;
  stream: MediaStream | null;
  devices: readonly MediaDeviceInfo[];
  deviceId: string;
  choose: (deviceId: string) => void;
  start: () => void;
  stop: () => void;
};

/**
 * The camera with the device that was chosen last. It is on while the caller is mounted and
 * `active`.
 */
export function useCamera(active: boolean): Camera {
  const [state, setState] = useState<CameraState>(active ? "starting" : "off");
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  const [deviceId, setDeviceId] = useState(() => getSetting<string>(DEVICE) ?? "");
  const [wanted, setWanted] = useState(active);
  const [tries, setTries] = useState(0);
  const wasActive = useRef(active);
  if (wasActive.current !== active) {
    wasActive.current = active;
    setWanted(active);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another start
  useEffect(() => {
    if (!wanted) {
      setState("off");
      return;
    }
    let over = false;
    let mine: MediaStream | null = null;
    setState("starting");
    const end = (next: CameraState) => {
      if (over) return;
      setStream(null);
      setState(next);
    };
    openCamera(deviceId).then(
      async (opened) => {
        mine = opened;
        if (over) return stop(opened);
        for (const track of opened.getVideoTracks()) {
          // The device was unplugged, or another program uses it.
          track.addEventListener("ended", () => end("missing"));
        }
        setSetting(WAS_ON, true);
        setStream(opened);
        setState("on");
        // Browsers give the names only after the person has allowed a camera.
        const all = await navigator.mediaDevices.enumerateDevices();
        if (!over) setDevices(all.filter(({ kind }) => kind === "videoinput"));
      },
      (error: unknown) => {
        setSetting(WAS_ON, false);
        end(stateOfError(error));
      },
    );
    return () => {
      over = true;
      stop(mine);
      setStream(null);
    };
  }, [wanted, deviceId, tries]);

  return {
    state,
    stream,
    devices,
    deviceId,
    choose: useCallback((id: string) => {
      setSetting(DEVICE, id);
      setDeviceId(id);
    }, []),
    start: useCallback(() => {
      setWanted(true);
      setTries((before) => before + 1);
    }, []),
    stop: useCallback(() => setWanted(false), []),
  };
}

async function openCamera(deviceId: string): Promise<MediaStream> {
  // Browsers lack this API where the page did not come over TLS.
  if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
  const size = { width: { ideal: 1280 }, height: { ideal: 960 } };
  const any = { ...size, facingMode: "environment" };
  if (!deviceId) return navigator.mediaDevices.getUserMedia({ audio: false, video: any });
  try {
    const chosen = { ...size, deviceId: { exact: deviceId } };
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: chosen });
  } catch (error) {
    // The device that was chosen last is not plugged in: use any other.
    if (stateOfError(error) !== "missing") throw error;
    return navigator.mediaDevices.getUserMedia({ audio: false, video: any });
  }
}

function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
