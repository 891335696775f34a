import type { Ctx } from '../../../../../context.ts';
import { markOf, type Turn } from '../../../../../db/remote/turns.ts';
import { unavailable } from '../../../../../errors.ts';
import { type Engine, INSERT_TIME } from '../engine/engine.ts';
import { int, ints, keys, raw, sql, texts } from '../engine/sql.ts';
import { dayOf, markDays, type ProjectDay } from '../rollups/mark-days.ts';
import { changeVersion, type EventRow } from '../rows/to-row.ts';
import { decodeEntry, type Entry } from './entry.ts';
import { outboxDoneOp } from './outbox-ops.ts';

export type Numbered = { readonly no: number; readonly entry: Entry };

/** The turns of projects; null where no other process can change the events. */
export type ProjectTurn = Turn | null;

/** The entries that are committed in the control plane and not yet known to be in the engine. */
export type Outbox = {
  /**
   * Inserts entries. If it fails they stay, and are inserted before all later ones.
   * @param turns those of the entries' projects. Once they are over nothing is inserted: the process that has them now
   * inserts what is left, and may have deleted it since.
   */
  insert(entries: readonly Numbered[], turns: readonly ProjectTurn[]): Promise<void>;
  /** Forgets entries that the engine has, and gives turns back, in the background. */
  finish(numbers: readonly number[], turns: readonly ProjectTurn[]): void;
  /** Inserts what stayed behind of projects; null for all. */
  drain(projects: readonly number[] | null, turns: readonly ProjectTurn[]): Promise<void>;
  /** Waits until the control plane has forgotten what the engine has, so that nothing is inserted again later. */
  settled(): Promise<void>;
  /** Whether entries of a project may have stayed behind. */
  isStuck(project: number): boolean;
  /** Notes that some may have. */
  suspect(projects: readonly number[]): void;
};

export function createOutbox(ctx: Ctx, engine: Engine): Outbox {
  const turnsOfServers = ctx.db.turns;
  const stuck = new Set<number>();
  /** At the start any project's. */
  let isAnyStuck = true;
  let forgetting: Promise<unknown> = Promise.resolve();

  function suspect(projects: readonly number[]): void {
    for (const project of projects) stuck.add(project);
    isAnyStuck = true;
  }

  function finish(numbers: readonly number[], given: readonly ProjectTurn[]): void {
    const turns = given.flatMap((turn) => turn ?? []);
    if (numbers.length + turns.length === 0) return;
    turnsOfServers?.end(turns);
    const marks = turns.flatMap((turn) => markOf(turn) ?? []);
    const done = ctx.db.writer.write(outboxDoneOp, { numbers, turns: marks }).catch((error: unknown) => {
      ctx.log.warn(
        { error },
        'an entry of the outbox was not forgotten; it is inserted again, which changes nothing',
      );
      suspect(turns.map(({ name }) => projectOf(name)));
    });
    forgetting = forgetting.then(() => done);
  }

  async function insert(entries: readonly Numbered[], turns: readonly ProjectTurn[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      await insertEntries(inTurn(engine, turns), entries);
      await markDays(engine, ctx.now(), entries.flatMap(daysOf));
    } catch (error) {
      suspect(entries.map(({ entry }) => entry.project));
      throw error;
    }
  }

  return {
    insert,
    finish,
    suspect,
    async drain(projects, turns) {
      if (projects === null ? !isAnyStuck : projects.length === 0) return;
      await forgetting;
      const of = projects === null ? '' : `WHERE project IN (${projects.join(', ')})`;
      for (;;) {
        const rows = await ctx.db.sql.all<{ no: number; entry: Uint8Array }>(
          `SELECT no, entry FROM event_outbox ${of} ORDER BY no LIMIT 100`,
        );
        if (rows.length === 0) break;
        const entries = rows.map(({ no, entry }) => ({ no, entry: decodeEntry(new Uint8Array(entry)) }));
        await insert(entries, turns);
        finish(
          entries.map(({ no }) => no),
          [],
        );
        await forgetting;
      }
      if (projects === null) isAnyStuck = false;
      for (const project of projects ?? []) stuck.delete(project);
    },
    settled: async () => {
      await forgetting;
    },
    isStuck: (project) => stuck.has(project),
  };
}

const PREFIX = 'events ';
/** The name of the turn of a project's events, and the project of a name. */
export const turnName = (project: number): string => `${PREFIX}${project}`;
export const projectOf = (name: string): number => Number(name.slice(PREFIX.length));

/** The days whose events an entry adds or changes. */
const daysOf = ({ entry: { project, receipts, changes, flips } }: Numbered): ProjectDay[] =>
  [...receipts, ...changes, ...flips].map(({ ts }) => ({ project, day: dayOf(Number(ts)) }));

type Inserting = Pick<Engine, 'insert' | 'run'>;

/** Begins nothing when a turn may be over, so that what arrives late arrives within the time of one insert. */
function inTurn(engine: Engine, turns: readonly ProjectTurn[]): Inserting {
  const check = (): void => {
    if (turns.some((turn) => turn?.isHeld() === false))
      throw unavailable('Another server took over the events of this project; try again', 1);
  };
  return {
    async insert(table, rows) {
      check();
      await engine.insert(table, rows);
    },
    async run(statement, settings) {
      check();
      await engine.run(statement, settings);
    },
  };
}

/** New events first, because changes may be of them. */
async function insertEntries(engine: Inserting, entries: readonly Numbered[]): Promise<void> {
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
async function flip(engine: Inserting, no: number, { project, flips }: Entry): Promise<void> {
  const counted = flips.flatMap(({ id, counted: isCounted }) => (isCounted ? id : []));
  const of = keys(flips.map(({ ts, id }) => ({ project, ts, id })));
  await engine.run(
    sql`INSERT INTO events SELECT * REPLACE (toUInt64(${raw(changeVersion(no))}) AS version, toUInt8(toString(event_id) IN ${texts(counted.length === 0 ? [''] : counted)}) AS is_call)
      FROM (SELECT * FROM events WHERE project IN ${ints([project])} AND (project, ts, event_id) IN ${of}
        AND version < toUInt64(${raw(changeVersion(no))})
        ORDER BY project, ts, event_id, version DESC LIMIT 1 BY project, ts, event_id) LIMIT ${int(flips.length)}`,
    { deduplicate_insert: 'disable', ...INSERT_TIME },
  );
}
