import type { Ctx } from '../../../../../context.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import { markOf } from '../../../../../db/remote/turns.ts';
import { AppError, unavailable } from '../../../../../errors.ts';
import type { ProjectScope } from '../../../../tenancy/index.ts';
import type { EventBatch, Receipt, RecordedBatch } from '../../../batch.ts';
import type { EventStore } from '../../../store.ts';
import type { Engine } from '../engine/engine.ts';
import { jsonOf, receiptVersion, toRow } from '../rows/to-row.ts';
import { type Entry, encodeEntry, isEmpty, type NewTagValue } from './entry.ts';
import type { Lane, ProjectTurns } from './lane.ts';
import type { Outbox } from './outbox.ts';
import { outboxOp } from './outbox-ops.ts';
import { createRecentIds } from './recent-ids.ts';
import { type SpanInfo, spansOf } from './span-info.ts';
import { findStored, loadTraces, recount, type StoredTrace } from './stored.ts';
import type { TagValues } from './tag-values.ts';

/** A batch that waits to be stored. */
type Waiting = {
  readonly project: number;
  readonly batch: EventBatch;
  readonly effects: readonly EffectCall[];
  readonly spans: readonly (SpanInfo | null)[] | null;
  /** Batches of a group share none of these: each is judged by what is stored. */
  readonly claims: readonly string[];
  /** Until when it waits for the turn of its project, of `performance.now()`. */
  readonly until: number;
  resolve(receipt: Receipt): void;
  reject(error: unknown): void;
};

/** What a group knows before it is committed. */
type Known = {
  readonly stored: ReadonlySet<string>;
  readonly undated: ReadonlySet<string>;
  readonly traces: ReadonlyMap<Waiting, ReadonlyMap<string, StoredTrace>>;
};

type Judged = { readonly waiting: Waiting; readonly entry: Entry; readonly outcome: RecordedBatch };

/** Most events that are inserted together. */
const MOST_EVENTS = 10_000;
/** With more events waiting there is no room for further ones. */
const MOST_WAITING = 40_000;
/** How long a batch waits for its project's turn, and how often it is tried. */
const PATIENCE_MS = 10_000;
const POLL_MS = 25;

export type Recorder = Pick<EventStore, 'record' | 'hasRoom'>;

type Parts = {
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly tags: TagValues;
  readonly lane: Lane;
};

/**
 * Stores batches in groups, one after the other: what arrives meanwhile is the next group. A group is of projects whose
 * turn is free; batches of others wait. Of a group, the stored
 * events and traces are looked up first; then the effects are committed in the control plane together with what is to
 * be inserted; then all is inserted at once. A batch is acknowledged when the engine has it.
 */
export function createRecorder(ctx: Ctx, { engine, outbox, tags, lane }: Parts): Recorder {
  const recent = createRecentIds();
  const queue: Waiting[] = [];
  let waiting = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // Batches that arrive in the same turn of the event loop are one group.
    await Promise.resolve();
    while (queue.length > 0) {
      const group = takeGroup(queue);
      const projects = [...new Set(group.map(({ project }) => project))];
      let here: readonly Waiting[] = [];
      try {
        await lane.run(projects, async (turns) => {
          here = group.filter(({ project }) => turns.has(project));
          await store(here, turns);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
        here = group;
      }
      for (const { batch } of here) waiting -= batch.events.length;
      if (here.length < group.length) putOff(group.filter((one) => !here.includes(one)));
    }
    isRunning = false;
  }

  /** Other processes store events of the projects of these batches. */
  function putOff(group: readonly Waiting[]): void {
    const late = group.filter(({ until }) => until < performance.now());
    for (const { reject, batch } of late) {
      waiting -= batch.events.length;
      reject(unavailable('Other servers are busy with the events of this project; try again', 1));
    }
    const rest = group.filter((one) => !late.includes(one));
    if (rest.length === 0) return;
    setTimeout(
      () => {
        queue.unshift(...rest);
        void run();
      },
      POLL_MS * (0.5 + Math.random()),
    );
  }

  async function store(group: readonly Waiting[], turns: ProjectTurns): Promise<void> {
    const known = await lookUp(group);
    const judged = group.map((one) => judge(one, known));
    const written = await Promise.allSettled(
      judged.map(({ waiting: { project, effects, batch }, entry, outcome }) =>
        ctx.db.writer.write(
          outboxOp,
          {
            project,
            entry: isEmpty(entry) ? null : encodeEntry(entry),
            undated: batch.events.flatMap(({ event }, place) =>
              event.dated || outcome.dropped.includes(place) ? [] : [{ id: event.event_id, ts: event.ts }],
            ),
            effects,
            outcome,
            turn: markOf(turns.get(project) ?? null),
          },
          effects.reduce((sum, { rows = 0 }) => sum + rows, 1),
        ),
      ),
    );
    const committed = judged.flatMap((one, place) => {
      const reply = written[place];
      if (reply?.status === 'fulfilled') return [{ ...one, ...reply.value }];
      one.waiting.reject(reply?.reason);
      // Values of a refused batch were noted as known. A commit without an answer may have happened.
      tags.forget(one.waiting.project);
      if (!(reply?.reason instanceof AppError && reply.reason.status < 500))
        outbox.suspect([one.waiting.project]);
      return [];
    });
    try {
      const entries = committed.flatMap(({ no, entry }) => (no === null ? [] : [{ no, entry }]));
      await outbox.insert(entries, [...turns.values()]);
      outbox.finish(
        entries.map(({ no }) => no),
        [],
      );
    } catch (error) {
      // They are stored, but nobody can read them yet: the sender tries again, and they are duplicates then.
      for (const { waiting: one } of committed) one.reject(error);
      return;
    }
    for (const { waiting: one, outcome, results } of committed) {
      for (const { event } of one.batch.events) recent.add(`${one.project} ${event.event_id}`);
      one.resolve({ stored: outcome.stored, duplicates: outcome.duplicates, results });
    }
  }

  async function lookUp(group: readonly Waiting[]): Promise<Known> {
    const of = group.flatMap(({ project, batch }) =>
      batch.events.map(({ event }) => ({ project, ts: event.ts, id: event.event_id })),
    );
    const withSpans = group.filter(({ spans }) => spans !== null);
    const [stored, undated, traces] = await Promise.all([
      findStored(engine, of),
      findUndated(group),
      Promise.all(
        withSpans.map(async (one) => {
          const spans = one.spans?.filter((span) => span !== null) ?? [];
          return [one, await loadTraces(engine, one.project, spans)] as const;
        }),
      ),
      ...[...new Set(group.map(({ project }) => project))].map((project) => tags.load(project)),
    ]);
    return { stored, undated, traces: new Map(traces) };
  }

  /** Of the events without a timestamp those that were received before. */
  async function findUndated(group: readonly Waiting[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { project, batch } of group) {
      const ids = batch.events.flatMap(({ event }) =>
        event.dated ? [] : event.event_id.replaceAll('-', ''),
      );
      if (ids.length === 0) continue;
      const rows = await ctx.db.sql.all<{ id: string }>(
        `SELECT lower(hex(event_id)) AS id FROM undated_events WHERE project = ${project} AND event_id IN (${ids.map((id) => `x'${id}'`).join(', ')})`,
      );
      for (const { id } of rows) found.add(`${project} ${id}`);
    }
    return found;
  }

  function judge(one: Waiting, known: Known): Judged {
    const { project, batch, spans } = one;
    const seen = new Set<string>();
    const dropped = batch.events.flatMap(({ event }, place) => {
      const key = `${project} ${event.event_id}`;
      const isKnown =
        seen.has(key) ||
        known.stored.has(key) ||
        recent.has(key) ||
        known.undated.has(`${project} ${event.event_id.replaceAll('-', '')}`);
      seen.add(key);
      return isKnown ? [place] : [];
    });
    const left = new Set(dropped);
    const counts = recount(known.traces.get(one) ?? new Map(), spans ?? [], left);
    const receivedAt = ctx.now();
    const version = receiptVersion(receivedAt, crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
    const tagValues: NewTagValue[] = [];
    const receipts = batch.events.flatMap((priced, place) => {
      if (left.has(place)) return [];
      const { texts, added } = tags.textsOf(project, priced.event.tags);
      tagValues.push(...added);
      const counted = priced.pricing.is_call !== counts.own.has(place);
      const { keyId } = batch;
      const price = jsonOf(priced.pricing.price);
      return [{ ...toRow({ ...priced, price, project, keyId, receivedAt, counted, tags: texts }), version }];
    });
    const entry: Entry = { project, receipts, changes: [], flips: counts.flips, tagValues };
    const outcome = {
      stored: receipts.length,
      duplicates: dropped.length,
      bytes: receipts.length === 0 ? 0 : encodeEntry({ ...entry, flips: [] }).byteLength,
      dropped,
    };
    return { waiting: one, entry, outcome };
  }

  return {
    hasRoom: () => waiting < MOST_WAITING,
    record: ({ no: project }: ProjectScope, batch, effects = []) =>
      new Promise((resolve, reject) => {
        const spans = spansOf(batch.events, batch.spans);
        queue.push({
          project,
          batch,
          effects,
          spans,
          claims: claimsOf(project, batch, spans),
          until: performance.now() + PATIENCE_MS,
          resolve,
          reject,
        });
        waiting += batch.events.length;
        void run();
      }),
  };
}

/** The ids of the events of a batch, and the traces of its spans. */
const claimsOf = (
  project: number,
  { events }: EventBatch,
  spans: readonly (SpanInfo | null)[] | null,
): string[] => [
  ...new Set([
    ...events.map(({ event }) => `${project} ${event.event_id}`),
    ...(spans ?? []).flatMap((span) => (span === null ? [] : [`${project} trace ${span.trace}`])),
  ]),
];

/** Takes batches that do not concern each other from a queue; the others keep their order. */
function takeGroup(queue: Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  const rest: Waiting[] = [];
  const claimed = new Set<string>();
  let events = 0;
  for (const one of queue.splice(0)) {
    const fits = group.length === 0 || events + one.batch.events.length <= MOST_EVENTS;
    if (!fits || one.claims.some((claim) => claimed.has(claim))) {
      rest.push(one);
      continue;
    }
    for (const claim of one.claims) claimed.add(claim);
    events += one.batch.events.length;
    group.push(one);
  }
  queue.push(...rest);
  return group;
}
