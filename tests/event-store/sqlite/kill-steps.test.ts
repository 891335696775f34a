import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { eventsOf } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { ofProject } from '../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { bundleProgram } from '../../helpers/bundle.ts';
import { openFolder } from '../../helpers/folder.ts';
import { randomBelow } from '../../helpers/random.ts';
import { queryFile, type StoredRow, storageFaults, storedEvents } from '../../helpers/stored-events.ts';
import { sumFaults } from '../../helpers/stored-sums.ts';
import { IS_LONG } from '../support/harness.ts';
import { makeEvent, NOON } from '../support/make-event.ts';
import { record } from '../support/send.ts';
import { findOrCreate, openContext } from '../support/sqlite.ts';
import { CHANGES, type ChangeToKill } from './changes-to-kill.ts';

// Each change is killed by SIGKILL at each of its writes: after the statements, and after COMMIT. The quick form does
// one of the two at some of the writes, which the run's seed chooses. Events are recounted after the kill, and again
// when the change was repeated.
const PHASES = ['applied', 'committed'] as const;
const random = randomBelow();
const folder = openFolder();
const program = await bundleProgram(
  Bun.fileURLToPath(new URL('./change-until-killed.ts', import.meta.url)),
  folder.path('program'),
);
afterAll(() => folder.remove());

/** What does not depend on how events are stored. */
const eventsOfRows = (rows: readonly StoredRow[]): string[] =>
  rows.map(({ segment: _, ...row }) => JSON.stringify(row)).sort();
const eventsIn = (path: string): string[] => eventsOfRows(storedEvents(path));

async function withStore<T>(
  path: string,
  use: (...args: Parameters<ChangeToKill['run']>) => Promise<T>,
): Promise<T> {
  const { ctx, close } = openContext(path, 'inline');
  try {
    return await use(ctx, await findOrCreate(ctx, 'killed', 'Acme'));
  } finally {
    await close();
  }
}

const ALL = { from: NOON - 9 * DAY_MS, to: NOON + DAY_MS };
/** Totals, which outlive the events that retention deletes. */
const totalsIn = (path: string): Promise<unknown> =>
  withStore(path, (ctx, project) =>
    eventsOf(ctx).metrics(ofProject(project), {
      byUser: { measures: ['requests', 'cost'], window: ALL, groupBy: ['userId'] },
      byModel: {
        measures: ['requests', 'cost', 'inputTokens'],
        window: ALL,
        groupBy: ['model'],
        bucket: 'day',
      },
      byTeam: { measures: ['requests', 'cost'], window: ALL, groupBy: ['tag:team'] },
    }),
  );

/**
 * Whether counts differ. The times of a user's first and last event can't be subtracted: while the user is being
 * erased, they may be those of an event that is gone.
 */
function isCount(fault: string): boolean {
  const [stored, counted] = fault
    .slice(fault.indexOf(': stored ') + 9)
    .replaceAll(/"(first|last)":\d+,?/g, '')
    .split(', counted ');
  return stored !== counted;
}

/** Copies a file that is not open. */
const copy = (from: string, to: string): void => {
  for (const side of ['', '-wal', '-shm']) rmSync(to + side, { force: true });
  cpSync(from, to);
};

/** False if the change ended before the kill. */
async function killAt(path: string, name: string, step: number, phase: string): Promise<boolean> {
  const child = Bun.spawn({
    ...program([path, name, String(step), phase]),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await child.exited;
  if (child.signalCode !== 'SIGKILL') expect(code).toBe(0);
  return child.signalCode === 'SIGKILL';
}

describe.each(Object.entries(CHANGES))('%s', (name, { prepare, run }) => {
  test('killed at any write: nothing is lost or double, and repeating it gives what it gives without a kill', async () => {
    const [before, after, killed] = ['before', 'after', 'killed'].map((one) =>
      folder.path(`${name}-${one}.db`),
    ) as [string, string, string];
    await withStore(before, prepare);
    copy(before, after);
    await withStore(after, run);
    const expected = { events: eventsIn(after), totals: await totalsIn(after) };
    const first = eventsIn(before);
    // Sums contain what retention deletes, so they are compared and not recounted.
    const isRecounted = name !== 'retain';
    const faultsIn = (path: string, rows = storedEvents(path)): string[] => [
      ...storageFaults(path, rows),
      ...(isRecounted ? sumFaults(path, rows) : []),
    ];
    expect([faultsIn(before), faultsIn(after)]).toEqual([[], []]);

    let kills = 0;
    for (let step = 0, isKilled = true; isKilled; step += IS_LONG ? 1 : 1 + random(14))
      for (const phase of IS_LONG ? PHASES : [PHASES[random(2)] as string]) {
        copy(before, killed);
        isKilled = await killAt(killed, name, step, phase);
        if (!isKilled) continue;
        kills++;
        const at = `${name} at write ${step}, ${phase}`;
        const left = storedEvents(killed);
        expect([at, faultsIn(killed, left).filter(isCount)]).toEqual([at, []]);
        // An event is as before or as after the change.
        const known = new Set([...first, ...expected.events]);
        expect([at, eventsOfRows(left).filter((event) => !known.has(event))]).toEqual([at, []]);
        await withStore(killed, run);
        const repeated = storedEvents(killed);
        expect([at, faultsIn(killed, repeated)]).toEqual([at, []]);
        expect([at, eventsOfRows(repeated)]).toEqual([at, expected.events]);
        expect([at, await totalsIn(killed)]).toEqual([at, expected.totals]);
        // What the kill left of segments goes with the next ones.
        await withStore(killed, async (ctx, project) => {
          await record(eventsOf(ctx), project, [makeEvent({ event_id: crypto.randomUUID() })]);
          await ctx.use(sealerService).sealAll(project.no);
        });
        expect(queryFile(killed, 'SELECT no FROM event_segments WHERE ready <> 1')).toEqual([]);
      }
    expect(kills).toBeGreaterThan(0);
  }, 300_000);
});
