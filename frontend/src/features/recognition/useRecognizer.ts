import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { identify } from "./identify";
import { createRecognizer, type Recognition, type Recognizer } from "./recognizer";

/** A recogniser for as long as the caller is there. */
export function useRecognizer(ask = identify): [Recognition, Recognizer] {
  const [recognizer] = useState(() => createRecognizer(ask));
  useEffect(() => recognizer.cancel, [recognizer]);
  return [useStore(recognizer.store), recognizer];
}

/** The address of a picture for as long as it is shown. */
export function usePictureUrl(picture: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  const held = useRef<string | null>(null);
  useEffect(() => {
    const made = picture && URL.createObjectURL(picture);
    held.current = made;
    setUrl(made);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [picture]);
  return url;
}
