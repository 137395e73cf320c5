import { useState } from "react";

/** Parts to try it with; they are drawn. */
const SAMPLES = [
  ["brick-2x4-red", "Red brick 2 x 4"],
  ["brick-2x4-blue", "Blue brick 2 x 4"],
  ["brick-2x2-yellow", "Yellow brick 2 x 2"],
  ["brick-1x2-green", "Green brick 1 x 2"],
  ["brick-1x4-black", "Black brick 1 x 4"],
  ["plate-2x4-dark-gray", "Dark gray plate 2 x 4"],
  ["tile-2x2-lime", "Lime tile 2 x 2"],
  ["nothing", "An empty sheet"],
] as const;

const addressOf = (name: string) => `/static/icons/samples/${name}.jpg`;

/** Pictures to recognise, for people without a camera or a part. */
export function SamplePictures({ onPicture }: { onPicture: (picture: Promise<Blob>) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="text-sm max-lg:hidden"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer text-muted">Demo: sample pictures</summary>
      {open && (
        <ul aria-label="Sample pictures" className="mt-2 flex gap-1.5 overflow-x-auto pb-1">
          {SAMPLES.map(([name, text]) => (
            <li key={name} className="shrink-0">
              <button
                type="button"
                onClick={() => onPicture(fetched(addressOf(name)))}
                className="rounded-control border border-line p-0.5 hover:border-accent"
              >
                <img
                  src={addressOf(name)}
                  alt={text}
                  className="h-10 w-14 rounded-sm object-cover"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Drawn on a canvas, as a photo would be: what is sent is a picture made here. */
async function fetched(address: string): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("No picture."))),
      "image/jpeg",
      0.9,
    );
  });
}
