import type { Candidate } from "../model";

export function makeCandidate(given: Partial<Candidate> = {}): Candidate {
  return {
    id: 1,
    item_id: 1,
    item_number: "3001",
    item_name: "Brick 2 x 4",
    item_type: "PART",
    category: "Brick",
    weight: "2.320",
    image_url: null,
    score: 0.95,
    is_known: true,
    external_sites: [],
    lots: [],
    color_id: 5,
    colors: [{ color_id: 5, name: "Red", score: 0.9 }],
    listing_id: "res-1",
    provider: "Brickstow",
    presence: "PART",
    twins: [],
    piece: 0,
    outline: null,
    capture: "",
    ...given,
  };
}
