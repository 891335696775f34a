import type { Connection } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { createHashMemory, type Generation, type HashMemory } from '../codecs/hash-memory.ts';
import { createIdSet, type IdPlace, type IdSet } from '../codecs/id-set.ts';
import { ID_WORDS } from '../columns.ts';

/** With more unsealed events, new ones are refused until some are sealed. */
export const MAX_UNSEALED = 262_144;
/** All ids of unsealed events must be in the set; batches that were already accepted may exceed the maximum. */
const KNOWN_IDS = MAX_UNSEALED + 32_768;
/** Four million ids in 8 MB: what a minute brings at 60,000 a second, because events of a minute come in no order. */
const REMEMBERED_GENERATIONS = 16;

/** What the writer knows of the log without reading it. It is read anew after a rollback. */
export type LogState = {
  /** The number of the next batch. */
  nextSeq(): number;
  /** Notes a stored batch. */
  add(project: number, batch: { readonly seq: number; readonly events: number }): void;
  /** Notes that batches were sealed or deleted. */
  remove(project: number, seqs: readonly number[]): void;
  /** The newest ids; those of all unsealed events are among them. */
  ids(): IdSet;
  /** While it is kept, all ids that are unsealed now are in the set or among those that it remembers. */
  generation(): Generation;
  /** Where an unsealed event is; null if it is not in the log. The place may be that of a duplicate. */
  find(project: number, words: Int32Array, at: number): IdPlace | null;
  /** Whether a batch is unsealed. */
  has(project: number, seq: number): boolean;
  unsealed(project: number): Unsealed;
  /** What is unsealed of each project that has some. */
  projects(): (Unsealed & { readonly project: number })[];
  forget(): void;
};

/** What is not sealed: events and batches of a project, and events of all projects. */
export type Unsealed = { readonly ofProject: number; readonly batches: number; readonly ofAll: number };

type Loaded = {
  readonly ids: IdSet;
  readonly dropped: HashMemory;
  /** Events per unsealed batch, by project. */
  readonly batches: Map<number, Map<number, number>>;
  readonly totals: Map<number, number>;
  total: number;
  next: number;
};

export const logPart: WriterPart<LogState> = { open: (connection) => openLog(connection, KNOWN_IDS) };

/** @param knownIds how many ids are known exactly: more than may be unsealed */
export function openLog(connection: Connection, knownIds: number): LogState {
  let loaded: Loaded | null = null;
  const state = (): Loaded => {
    loaded ??= load(connection, knownIds);
    return loaded;
  };
  const has = (project: number, seq: number): boolean => state().batches.get(project)?.has(seq) === true;
  const unsealed = (project: number): Unsealed => ({
    ofProject: state().totals.get(project) ?? 0,
    batches: state().batches.get(project)?.size ?? 0,
    ofAll: state().total,
  });
  return {
    nextSeq: () => state().next++,
    add: (project, { seq, events }) => note(state(), project, seq, events),
    remove(project, seqs) {
      const { batches, totals } = state();
      const own = batches.get(project);
      for (const seq of seqs) {
        const events = own?.get(seq) ?? 0;
        own?.delete(seq);
        totals.set(project, (totals.get(project) ?? 0) - events);
        state().total -= events;
      }
      if (own?.size === 0) {
        batches.delete(project);
        totals.delete(project);
      }
    },
    ids: () => state().ids,
    generation: () => state().dropped.newest(),
    find(project, words, at) {
      const found = state().ids.find(project, words, at);
      return found !== null && has(project, found.seq) ? found : null;
    },
    has,
    unsealed,
    projects: () => [...state().totals.keys()].map((project) => ({ project, ...unsealed(project) })),
    forget() {
      loaded?.dropped.forget();
      loaded = null;
    },
  };
}

function note(loaded: Loaded, project: number, seq: number, events: number): void {
  const own = loaded.batches.get(project) ?? new Map<number, number>();
  loaded.batches.set(project, own.set(seq, events));
  loaded.totals.set(project, (loaded.totals.get(project) ?? 0) + events);
  loaded.total += events;
}

/** Reads the log's ids: 16 bytes per event, a few milliseconds. */
function load(connection: Connection, knownIds: number): Loaded {
  const dropped = createHashMemory(REMEMBERED_GENERATIONS);
  const ids = createIdSet(knownIds, dropped);
  const [row] = connection
    .prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event_log'")
    .raw(true)
    .all([]) as number[][];
  const loaded: Loaded = {
    ids,
    dropped,
    batches: new Map(),
    totals: new Map(),
    total: 0,
    next: (row?.[0] ?? 0) + 1,
  };
  const rows = connection.prepare('SELECT seq, project, events, ids FROM event_log ORDER BY seq').raw(true);
  for (const [seq, project, events, blob] of rows.iterate([]) as Iterable<
    [number, number, number, Uint8Array]
  >) {
    // A copy, because the driver's buffer may begin anywhere.
    const bytes = new Uint8Array(blob);
    const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
    // Damaged ids may be fewer.
    for (let place = 0; (place + 1) * ID_WORDS.event_id <= words.length && place < events; place++)
      ids.add(project, words, place * ID_WORDS.event_id, seq, place);
    note(loaded, project, seq, events);
  }
  return loaded;
}
