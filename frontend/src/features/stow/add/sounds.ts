/** Short tones for people who look at the parts instead of the screen. Off by default. */
import { clientStore } from "@/shared/store/clientStore";

export type Sound = "match" | "added" | "noMatch" | "wrongBin";

/** Frequency in hertz and length in seconds of each tone. */
const tones: Record<Sound, readonly (readonly [number, number])[]> = {
  match: [[880, 0.06]],
  added: [
    [660, 0.05],
    [990, 0.07],
  ],
  noMatch: [[330, 0.16]],
  wrongBin: [
    [220, 0.14],
    [165, 0.24],
  ],
};

let speaker: AudioContext | null = null;

/** Plays a sound, if sounds are on and the browser allows it. */
export function sound(which: Sound): void {
  if (!clientStore.get("options.sounds") || typeof AudioContext === "undefined") return;
  speaker ??= new AudioContext();
  let at = speaker.currentTime;
  for (const [hertz, seconds] of tones[which]) {
    const tone = speaker.createOscillator();
    const volume = speaker.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(speaker.destination);
    tone.start(at);
    at += seconds;
    tone.stop(at);
  }
}
