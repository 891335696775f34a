import type { Ctx } from '../../../../../context.ts';
import { markOf } from '../../../../../db/remote/turns.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { deleteInSlices } from '../../../../jobs/index.ts';
import type { ProjectScope } from '../../../../tenancy/index.ts';
import type { DeletedRows, DeletionTask, ErasedUser, ErasureTask, EventDeletion } from '../../../deletion.ts';
import { eventTables } from '../../sqlite/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, join, raw, type Sql, sql, text } from '../engine/sql.ts';
import { keepLinks } from '../links/keep-links.ts';
import { IS_EVENT } from '../reads/conditions.ts';
import type { Lane } from '../record/lane.ts';
import type { ProjectTurn } from '../record/outbox.ts';
import { outboxOp } from '../record/outbox-ops.ts';
import type { TagValues } from '../record/tag-values.ts';
import { markDays, type ProjectDay } from '../rollups/mark-days.ts';
import { FORGOTTEN } from '../rows/forgotten.ts';

type Parts = {
  readonly engine: Engine;
  readonly tags: TagValues;
  readonly lane: Lane;
};

/** Deletes rows in place, in all their versions; they leave the disk when parts are merged. */
const IN_PLACE = {
  lightweight_delete_mode: 'lightweight_update_force',
  enable_lightweight_update: 1,
} as const;

/** Empties what retention forgets (`keepLinks` first). A row of figures stays, under the random id that the engine sorts by. */
const FORGET = ['is_kept = 1', ...Object.entries(FORGOTTEN).map(([column, left]) => `${column} = ${left}`)];

/** What counts comes first: without builds nothing of the others is read. */
const ROLLUPS = ['rollup_builds', 'rollup_days', 'rollup_marks'];

const isOf = ({ no }: ProjectScope): Sql => sql`project IN ${ints([no])}`;

/** Deletion of events. Nothing is inserted meanwhile, and nothing that was inserted before comes again. */
export function createDeletion(ctx: Ctx, { engine, tags, lane }: Parts): EventDeletion {
  const alone = <T>(
    { no }: ProjectScope,
    signal: AbortSignal,
    work: (turn: ProjectTurn) => Promise<T>,
  ): Promise<T> => lane.alone(no, { deletes: true, signal }, work);

  async function count(scope: ProjectScope, table: string, condition: Sql = raw('1')): Promise<number> {
    const [row] = await engine.read<{ n: number }>(
      [scope.no],
      sql`SELECT count() AS n FROM ${raw(table)} ${raw(table === 'rollup_days' ? '' : 'FINAL')} WHERE ${isOf(scope)} AND ${condition}`,
    );
    return row?.n ?? 0;
  }

  const daysWith = (scope: ProjectScope, condition: Sql): Promise<ProjectDay[]> =>
    engine.read<ProjectDay>(
      [scope.no],
      sql`SELECT DISTINCT project, intDiv(ts, ${int(DAY_MS)}) AS day FROM events WHERE ${isOf(scope)} AND ${condition}`,
    );

  /** Deletes the rows of a project in a table, and tells how many there were. */
  async function clear(scope: ProjectScope, table: string): Promise<number> {
    const rows = await count(scope, table);
    if (rows > 0)
      await engine.run(
        sql`DELETE FROM ${raw(table)} WHERE ${isOf(scope)}`,
        table === 'events' || table === 'repriced_events' ? IN_PLACE : {},
      );
    return rows;
  }

  return {
    deleteBefore: (scope, time, { signal, onProgress }) =>
      alone(scope, signal, async () => {
        const old = sql`ts < ${int(Math.ceil(time))} AND ${IS_EVENT}`;
        const events = await count(scope, 'events', old);
        if (events > 0) {
          await keepLinks(engine, scope.no, old, signal);
          await engine.run(sql`UPDATE events SET ${raw(FORGET.join(', '))} WHERE ${isOf(scope)} AND ${old}`, {
            enable_lightweight_update: 1,
          });
        }
        onProgress?.(events);
        const undated = await ctx.db.sql.run(
          `DELETE FROM undated_events WHERE project = ${scope.no} AND ts < ${Math.ceil(time)}`,
        );
        return { events, undated_events: undated.rowsAffected };
      }),
    purge: (scope, { signal, onProgress }: DeletionTask): Promise<DeletedRows> =>
      alone(scope, signal, async () => {
        for (const table of ROLLUPS) await clear(scope, table);
        const events = await clear(scope, 'events');
        onProgress?.(events);
        const repriced = await clear(scope, 'repriced_events');
        const values = await clear(scope, 'tag_values');
        tags.forget(scope.no);
        const undated = await ctx.db.sql.run(`DELETE FROM undated_events WHERE project = ${scope.no}`);
        await clearFile(ctx, scope.no, signal);
        return {
          events,
          repriced_events: repriced,
          tag_values: values,
          undated_events: undated.rowsAffected,
        };
      }),
    eraseUser: (scope, user, { signal, cursor, effects }: ErasureTask) =>
      alone(scope, signal, async (turn) => {
        if (cursor > 0) return;
        const isOwn = sql`ifNull(user_id, '') = ${text(user.userId)}`;
        const [own, kept] = [sql`${isOwn} AND ${IS_EVENT}`, sql`${isOwn} AND NOT ${IS_EVENT}`];
        const events = await count(scope, 'events', own);
        if (events > 0) {
          await keepLinks(engine, scope.no, own, signal);
          // Before, too: after a crash the events no longer tell their days.
          const days = await daysWith(scope, own);
          await markDays(engine, ctx.now(), days);
          await engine.run(sql`DELETE FROM events WHERE ${isOf(scope)} AND ${own}`, IN_PLACE);
          await markDays(engine, ctx.now(), days);
        }
        // The figures of events that retention deleted stay, without their user.
        if ((await count(scope, 'events', kept)) > 0)
          await engine.run(sql`UPDATE events SET user_id = NULL WHERE ${isOf(scope)} AND ${kept}`, {
            enable_lightweight_update: 1,
          });
        await rename(engine, scope, user);
        tags.forget(scope.no);
        const outcome = { events, cursor: 1 };
        await ctx.db.writer.write(
          outboxOp,
          { project: scope.no, entry: null, undated: [], effects, outcome, turn: markOf(turn) },
          1,
        );
      }),
    erasureProgress: async (_scope, cursor) => Math.min(1, cursor),
  };
}

/** Deletes what a move left of a project in the database file: its rows refer to the project. */
async function clearFile(ctx: Ctx, project: number, signal: AbortSignal): Promise<void> {
  for (const { name, key } of eventTables)
    if (name !== 'event_outbox')
      await deleteInSlices({ table: name, key, prefix: 'project = ?' }, { prefix: project }, { ctx, signal });
}

/** Columns in which another event may name the user. */
const NAMES = [
  'name',
  'agent',
  'agent_version',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'session_id',
  'finish_reason',
  'sdk_version',
];

/** Renames the user where names and tags of other events are exactly the id. */
async function rename(engine: Engine, scope: ProjectScope, { userId, name }: ErasedUser): Promise<void> {
  const [id, other] = [text(userId), text(name)];
  const [ofLink, otherOfLink] = [text(JSON.stringify(userId)), text(JSON.stringify(name))];
  const [json, otherJson] = [text(`:${JSON.stringify(userId)}`), text(`:${JSON.stringify(name)}`)];
  const isIn = NAMES.map((column) => sql`ifNull(${raw(column)}, '') = ${id}`);
  const isInJson = sql`(has(mapValues(tags), ${id}) OR position(tags_json, ${json}) > 0 OR position(link, ${ofLink}) > 0)`;
  const counts = [...isIn, isInJson].map((is, place) => sql`countIf(${is}) AS ${raw(`n${place}`)}`);
  const [found] = await engine.read<Readonly<Record<string, number>>>(
    [scope.no],
    sql`SELECT ${join(counts, ', ')} FROM events WHERE ${isOf(scope)}`,
  );
  // Each update makes later reads slower, also one that changes nothing.
  for (const [place, is] of isIn.entries())
    if (found?.[`n${place}`] !== 0)
      await engine.run(
        sql`UPDATE events SET ${raw(NAMES[place] ?? '')} = ${other} WHERE ${isOf(scope)} AND ${is}`,
        { enable_lightweight_update: 1 },
      );
  if (found?.[`n${isIn.length}`] !== 0)
    await engine.run(
      sql`UPDATE events SET tags = mapApply((k, v) -> (k, if(v = ${id}, ${other}, v)), tags),
          tags_json = replaceAll(tags_json, ${json}, ${otherJson}), link = replaceAll(link, ${ofLink}, ${otherOfLink})
        WHERE ${isOf(scope)} AND ${isInJson}`,
      { enable_lightweight_update: 1 },
    );
  await engine.run(
    sql`INSERT INTO tag_values SELECT project, name, ${other} FROM tag_values WHERE ${isOf(scope)} AND value = ${id}`,
  );
  await engine.run(sql`DELETE FROM tag_values WHERE ${isOf(scope)} AND value = ${id}`);
}
