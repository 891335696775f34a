import type { Ctx } from '../../../../../context.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, keys, raw, sql, texts } from '../engine/sql.ts';
import { dayOf, markDays, type ProjectDay } from '../rollups/mark-days.ts';
import { changeVersion, type EventRow } from '../rows/to-row.ts';
import { decodeEntry, type Entry } from './entry.ts';
import { outboxDoneOp } from './outbox-ops.ts';

type Numbered = { readonly no: number; readonly entry: Entry };

/** The entries that are committed in the control plane and not yet known to be in the engine. */
export type Outbox = {
  /** Inserts entries. If it fails they stay, and are inserted before all later ones. */
  insert(entries: readonly Numbered[]): Promise<void>;
  /** Inserts what stayed behind: after a failure, or since the last start. */
  drain(): Promise<void>;
  /** Waits until the control plane has forgotten what the engine has, so that nothing is inserted again later. */
  settled(): Promise<void>;
  /** Whether entries stayed behind. */
  isStuck(): boolean;
};

export function createOutbox(ctx: Ctx, engine: Engine): Outbox {
  let isStuck = true;
  let forgetting: Promise<unknown> = Promise.resolve();

  function forget(numbers: readonly number[]): void {
    const done = ctx.db.writer.write(outboxDoneOp, numbers).catch((error: unknown) => {
      ctx.log.warn(
        { error },
        'an entry of the outbox was not forgotten; it is inserted again, which changes nothing',
      );
      isStuck = true;
    });
    forgetting = forgetting.then(() => done);
  }

  async function insert(entries: readonly Numbered[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      await insertEntries(engine, entries);
      await markDays(engine, ctx.now(), entries.flatMap(daysOf));
    } catch (error) {
      isStuck = true;
      throw error;
    }
    forget(entries.map(({ no }) => no));
  }

  return {
    insert,
    async drain() {
      if (!isStuck) return;
      await forgetting;
      for (;;) {
        const rows = await ctx.db.sql.all<{ no: number; entry: Uint8Array }>(
          'SELECT no, entry FROM event_outbox ORDER BY no LIMIT 100',
        );
        if (rows.length === 0) break;
        await insert(rows.map(({ no, entry }) => ({ no, entry: decodeEntry(new Uint8Array(entry)) })));
        await forgetting;
      }
      isStuck = false;
    },
    settled: async () => {
      await forgetting;
    },
    isStuck: () => isStuck,
  };
}

/** The days whose events an entry adds or changes. */
const daysOf = ({ entry: { project, receipts, changes, flips } }: Numbered): ProjectDay[] =>
  [...receipts, ...changes, ...flips].map(({ ts }) => ({ project, day: dayOf(Number(ts)) }));

/** New events first, because changes may be of them. */
async function insertEntries(engine: Engine, entries: readonly Numbered[]): Promise<void> {
  const values = entries.flatMap(({ entry: { project, tagValues } }) =>
    tagValues.map((value) => ({ project, ...value })),
  );
  if (values.length > 0) await engine.insert('tag_values', values);
  const receipts = entries.flatMap(({ entry }) => entry.receipts);
  if (receipts.length > 0) await engine.insert('events', receipts);
  const changes = entries.flatMap(({ no, entry }) =>
    entry.changes.map((row): EventRow => ({ ...row, version: changeVersion(no) })),
  );
  if (changes.length > 0) await engine.insert('events', changes);
  for (const { no, entry } of entries) if (entry.flips.length > 0) await flip(engine, no, entry);
}

/**
 * A change is a whole row, which the engine makes of the one that stands. The condition is inside, because a replaced
 * column would shadow the stored one.
 */
async function flip(engine: Engine, no: number, { project, flips }: Entry): Promise<void> {
  const counted = flips.flatMap(({ id, counted: isCounted }) => (isCounted ? id : []));
  const of = keys(flips.map(({ ts, id }) => ({ project, ts, id })));
  await engine.run(
    sql`INSERT INTO events SELECT * REPLACE (toUInt64(${raw(changeVersion(no))}) AS version, toUInt8(toString(event_id) IN ${texts(counted.length === 0 ? [''] : counted)}) AS is_call)
      FROM (SELECT * FROM events WHERE project IN ${ints([project])} AND (project, ts, event_id) IN ${of}
        AND version < toUInt64(${raw(changeVersion(no))})
        ORDER BY project, ts, event_id, version DESC LIMIT 1 BY project, ts, event_id) LIMIT ${int(flips.length)}`,
    { deduplicate_insert: 'disable' },
  );
}
