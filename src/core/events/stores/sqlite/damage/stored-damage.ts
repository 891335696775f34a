import type { Ctx } from '../../../../../context.ts';
import type { CheckedEvents, EventDamage, ReadEvents, StoredDamage } from '../../../damage.ts';
import { checkIndexes, checkIndexRead } from '../id-index/check-indexes.ts';
import { readOp } from '../read-op.ts';
import { type CheckPage, checkDamagedRead, checkLogRead, checkSegmentsRead } from './check-reads.ts';
import { giveUpOp } from './give-up-op.ts';
import { putBackOp } from './put-back-op.ts';
import { noteDamage, readEvents } from './read-events.ts';

const damageRead = readOp('damage', (reader): StoredDamage[] => {
  const rows = reader.rows(
    `SELECT 'segment', no, project, ready = 3, events, first_ts, last_ts FROM event_segments WHERE ready > 1
     UNION ALL
     SELECT 'batch', seq, project, lost, events, first_ts, last_ts FROM event_log_damaged ORDER BY 6, 2`,
  );
  return rows.map(([kind, no, project, isLost, events, first, last]) => ({
    kind: kind === 'batch' ? 'batch' : 'segment',
    no: Number(no),
    project: Number(project),
    state: isLost === 1 ? 'lost' : 'damaged',
    events: Number(events),
    first: Number(first),
    last: Number(last),
  }));
});

/** The reads of damage, for the manifest. */
export const damageReads = [damageRead, checkSegmentsRead, checkLogRead, checkDamagedRead, checkIndexRead];

/** See `EventDamage`. */
export function openDamage(ctx: Ctx): EventDamage {
  async function* pagesOf(
    project: number,
    read: typeof checkLogRead,
    signal: AbortSignal,
  ): AsyncGenerator<CheckPage> {
    for (let from: number | null = 0; from !== null; ) {
      signal.throwIfAborted();
      const page: CheckPage = (await readEvents(ctx, read, [project], { project, from })).parse();
      yield page;
      from = page.next;
    }
  }

  /** Checks all pages of a read. Returns how many it checked, and how many were put back. */
  async function check(
    project: number,
    kind: StoredDamage['kind'],
    read: typeof checkLogRead,
    signal: AbortSignal,
  ): Promise<{ checked: number; restored: number }> {
    let [checked, restored] = [0, 0];
    for await (const page of pagesOf(project, read, signal)) {
      for (const damage of page.damaged) await noteDamage(ctx, damage);
      for (const no of page.readable) await ctx.db.writer.write(putBackOp, { kind, no, project });
      checked += page.checked;
      restored += page.readable.length;
    }
    return { checked, restored };
  }

  const knownDamage = async (projects: readonly number[]): Promise<StoredDamage[]> =>
    (await ctx.db.read(damageRead, projects, null)).parse();

  return {
    damage: ({ projects }) => knownDamage(projects),
    async checkStored({ no }, signal): Promise<CheckedEvents> {
      const segments = await check(no, 'segment', checkSegmentsRead, signal);
      const damaged = await check(no, 'batch', checkDamagedRead, signal);
      const batches = await check(no, 'batch', checkLogRead, signal);
      await checkIndexes(ctx, no, signal);
      return {
        segments: segments.checked,
        batches: damaged.checked + batches.checked - damaged.restored,
        restored: segments.restored + damaged.restored,
      };
    },
    async readStored({ no }, signal): Promise<ReadEvents> {
      const known = await knownDamage([no]);
      const isKnown = new Set(known.map((one) => `${one.kind} ${one.no}`));
      let [segments, batches] = [0, 0];
      const damaged = [...known];
      const add = ({ damaged: found }: CheckPage): void => {
        for (const { kind, no: place, project, events, first, last } of found)
          if (!isKnown.has(`${kind} ${place}`))
            damaged.push({ kind, no: place, project, state: 'damaged', events, first, last });
      };
      for await (const page of pagesOf(no, checkSegmentsRead, signal)) {
        segments += page.checked;
        add(page);
      }
      for await (const page of pagesOf(no, checkLogRead, signal)) {
        batches += page.checked;
        add(page);
      }
      return { segments, batches, damaged };
    },
    giveUp: ({ no: project }, { kind, no }, effects) =>
      ctx.db.writer.write(giveUpOp, { kind, no, project, effects }),
  };
}
