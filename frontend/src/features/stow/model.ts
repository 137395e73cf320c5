/** The words of the station: what is typed, taken, added. */
import type { ClientState } from "@/shared/store/schema";

export type SearchType = ClientState["itemBeingProcessed"]["searchType"];
export type Condition = ClientState["itemBeingProcessed"]["condition"];

export const conditionNames: Record<Condition, string> = { N: "New", U: "Used" };
