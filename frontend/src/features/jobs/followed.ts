/** The jobs that this tab watches: those it started, and those found running after a reload. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { dropJob, keepJob } from "./kept";
import { forgetProgress } from "./polling";

type Followed = {
  /** Ids in the order of their start. */
  ids: readonly string[];
  /** Ids that a dialog shows right now: no toast beside it. */
  shownElsewhere: ReadonlyMap<string, number>;
  /** Ids of which only failures are shown. */
  hushed: ReadonlySet<string>;
  /** Ids whose end was shown. An answer that arrives later may name them again. */
  ended: ReadonlySet<string>;
};

const followed = createStore<Followed>(() => ({
  ids: [],
  shownElsewhere: new Map(),
  hushed: new Set(),
  ended: new Set(),
}));

/** Watches a job until it has ended: its toast, and what its end makes stale. Shown once. */
export function followJob(id: string): void {
  if (followed.getState().ended.has(id)) return;
  keepJob(id);
  followed.setState(({ ids }) => (ids.includes(id) ? {} : { ids: [...ids, id] }));
}

/** Watches one of many small jobs: its toast comes only where something went wrong. */
export function followQuietly(id: string): void {
  followed.setState(({ hushed }) => ({ hushed: new Set(hushed).add(id) }));
  followJob(id);
}

/** Watches a job that was queued again after its end. */
export function followAgain(id: string): void {
  followed.setState(({ ended }) => ({ ended: new Set([...ended].filter((one) => one !== id)) }));
  followJob(id);
}

export const isHushed = (id: string): boolean => followed.getState().hushed.has(id);

export function unfollowJob(id: string): void {
  dropJob(id);
  followed.setState(({ ids, hushed, ended }) => ({
    ids: ids.filter((other) => other !== id),
    hushed: new Set([...hushed].filter((other) => other !== id)),
    ended: new Set(ended).add(id),
  }));
}

/** Runs an act once the end of a job was shown; at once for a job that is not watched. */
export function onceShown(id: string, act: () => void): void {
  if (!followed.getState().ids.includes(id)) {
    act();
    return;
  }
  const stop = followed.subscribe(({ ids }) => {
    if (ids.includes(id)) return;
    stop();
    act();
  });
}

/** Nothing is watched any more; what this tab waits for is found again by the same person. */
export function forgetJobs(): void {
  forgetProgress();
  followed.setState({
    ids: [],
    shownElsewhere: new Map(),
    hushed: new Set(),
    ended: new Set(),
  });
}

/** From now until the returned function is called, something else shows this job. */
export function claimJobView(id: string): () => void {
  const add = (step: number) =>
    followed.setState(({ shownElsewhere }) => {
      const count = (shownElsewhere.get(id) ?? 0) + step;
      const next = new Map(shownElsewhere);
      if (count > 0) next.set(id, count);
      else next.delete(id);
      return { shownElsewhere: next };
    });
  add(1);
  return () => add(-1);
}

export const followedJobs = () => followed.getState().ids;
export const useFollowedJobs = () => useStore(followed, (state) => state.ids);
export const useShownElsewhere = (id: string) =>
  useStore(followed, (state) => state.shownElsewhere.has(id));
