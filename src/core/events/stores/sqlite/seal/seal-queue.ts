import { MAX_UNSEALED, type Unsealed } from '../ingest/log-part.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';

/** When to seal: events and batches of a project, and events of all projects. */
type Limits = { readonly events: number; readonly batches: number; readonly ofAll: number };
/**
 * The newest events stay in the log for a while: most late spans belong to their traces, and change the counting and
 * links of events in the log at a fraction of the cost.
 */
const NEWEST = 4_096;
const LIMITS: Limits = { events: SEGMENT_EVENTS + NEWEST, batches: 2_048, ofAll: MAX_UNSEALED / 2 };
/** New small segments of a project after which its days are searched for many. */
const SMALL_SEGMENTS = 64;

/** `largest`: a project is to be sealed because there is too much of all; it is not known here which has the most. */
export type Task =
  | { readonly kind: 'seal' | 'merge'; readonly project: number }
  | { readonly kind: 'largest' };

/** What is to be sealed and merged. */
export type SealQueue = {
  /** Notes what is not sealed. */
  note(project: number, unsealed: Unsealed): void;
  /** Notes new small segments. */
  noteSmall(project: number, segments: number): void;
  /** Notes that no day of a project has many small segments. */
  noteMerged(project: number): void;
  /** What is to be done next; null if nothing is. */
  next(): Task | null;
  /** A project that is set aside is not to be touched. */
  setAside(project: number): void;
  takeBack(project: number): void;
  isAside(project: number): boolean;
  /** Unsealed events of all projects, as last noted. */
  unsealed(): number;
};

export function createSealQueue(): SealQueue {
  let ofAll = 0;
  const full = new Set<number>();
  const small = new Map<number, number>();
  const aside = new Set<number>();
  const isFree = (project: number): boolean => !aside.has(project);

  return {
    note(project, unsealed) {
      ofAll = unsealed.ofAll;
      if (unsealed.ofProject >= LIMITS.events || unsealed.batches >= LIMITS.batches) full.add(project);
      else full.delete(project);
    },
    noteSmall: (project, segments) => void small.set(project, (small.get(project) ?? 0) + segments),
    noteMerged: (project) => void small.delete(project),
    next() {
      const project = full.values().find(isFree);
      if (project !== undefined) return { kind: 'seal', project };
      if (ofAll > LIMITS.ofAll) return { kind: 'largest' };
      const [scattered] = [...small].find(([no, count]) => count >= SMALL_SEGMENTS && isFree(no)) ?? [];
      return scattered === undefined ? null : { kind: 'merge', project: scattered };
    },
    setAside: (project) => void aside.add(project),
    takeBack: (project) => void aside.delete(project),
    isAside: (project) => aside.has(project),
    unsealed: () => ofAll,
  };
}
