import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { START } from '../../src/core/events/index.ts';
import { isPercentile, type Measure } from '../../src/core/events/measures.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { databaseOf } from '../clickhouse/start.ts';
import { countedOnce } from '../event-store/support/counted-in.ts';
import type { World } from '../event-store/support/each-store.ts';
import type { OpenStore } from '../event-store/support/harness.ts';
import { NOON } from '../event-store/support/make-event.ts';
import { makeForest } from '../event-store/support/make-forest.ts';
import { randomEvents, type SentEvent } from '../event-store/support/random-events.ts';
import { type Everything, inOrder, readAll, withoutTrees } from '../event-store/support/read-all.ts';
import { recountAll } from '../event-store/support/recount-all.ts';
import {
  CALLS,
  change,
  RATES,
  recountCosts,
  repriced,
  unpricedEvents,
} from '../event-store/support/reprice.ts';
import { record, send } from '../event-store/support/send.ts';
import { clickhouse, sqlite } from '../event-store/support/sqlite.ts';
import { openFolder } from '../helpers/folder.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { cliCommand, runCommand } from '../helpers/server.ts';

/** How often the move is killed. */
const KILLS = Number(process.env.KILL_ROUNDS ?? 6);
const NO_SIGNAL = new AbortController().signal;
const ADA = 'ada@example.com';
const NAME = 'erased user 1';
const CUTOFF = NOON - 2 * DAY_MS - 1_234_567;

/** Run by `bun run test:clickhouse`, or as `EVENT_STORE=clickhouse bun test --timeout 600000 ./tests/move/there-and-back.clickhouse.ts`. */
describe('events of a file that move to ClickHouse and back', () => {
  const folder = openFolder();
  const below = randomBelow();
  let url: string;
  /** What is noted beside the file when its events have moved. */
  let noteThere = '';
  const path = folder.path('test.db');

  beforeAll(async () => {
    const { port, database } = await databaseOf(folder.path('.'));
    url = `clickhouse://writer@127.0.0.1:${port}/${database}`;
  }, 300_000);
  afterAll(() => folder.remove());

  const words = (...more: readonly string[]): string[] => [
    ...['move', '--from', `file:${path}`, '--to', url, '--json', ...more],
  ];

  /** Starts the command and kills it after a time. True if it came to its end before. */
  async function moveUntilKilled(lifeMs: number, ...more: readonly string[]): Promise<boolean> {
    const child = Bun.spawn([...cliCommand, ...words(...more)], { stdio: ['ignore', 'ignore', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), lifeMs);
    const code = await child.exited;
    clearTimeout(timer);
    if (code !== 137) expect(code).toBe(0);
    return code === 0;
  }

  async function withFile(work: (open: OpenStore) => Promise<void>): Promise<void> {
    const open = await sqlite.open(folder.path('.'));
    try {
      await work(open);
    } finally {
      await open.close();
    }
  }

  const PROJECTS = ['changed', 'spans', 'cut'] as const;
  type Projects = Readonly<Record<(typeof PROJECTS)[number], ProjectScope>>;
  async function projectsOf(open: OpenStore): Promise<Projects> {
    const all = [];
    for (const name of PROJECTS) all.push([name, await open.project(name)] as const);
    return Object.fromEntries(all) as unknown as Projects;
  }

  /** A third of the events are the user's. */
  const withAda = (events: readonly SentEvent[]): SentEvent[] =>
    events.map((event, place) => (place % 3 === 0 ? { ...event, user_id: ADA } : event));
  const withoutAda = (events: readonly SentEvent[]): SentEvent[] =>
    events.filter(({ user_id }) => user_id !== ADA);

  const first = withAda(unpricedEvents(TEST_SEED, 240));
  const second = withAda(
    randomEvents(TEST_SEED + 1, 180, NOON - 4 * DAY_MS, NOON).filter(({ model }) => model !== 'gpt-4o'),
  );
  const forests = Array.from({ length: 4 }, (_, i) => makeForest(createRandom(TEST_SEED + 10 + i)));
  const cut = randomEvents(TEST_SEED + 2, 300, NOON - 5 * DAY_MS, NOON);

  const worldOf = (open: OpenStore): World => ({ open }) as unknown as World;

  /** What happens to the file between two runs of the move, in order. */
  const steps: ((open: OpenStore, of: Projects) => Promise<void>)[] = [
    async (open, { changed }) => send(open.store, changed, second, createRandom(TEST_SEED)),
    async (open, { changed }) => {
      const from = { cursor: START, pricesVersion: null };
      const { pricesVersion } = await open.store.previewReprice(changed, CALLS, from);
      await change(worldOf(open), changed, { kind: 'reprice', id: 'one', calls: CALLS, pricesVersion });
    },
    async (open) => open.settle(),
    async (open, { spans }) => {
      for (const forest of forests.slice(2)) await record(open.store, spans, forest, { spans: true });
    },
    async (open, { changed }) =>
      open.store.eraseUser(
        changed,
        { userId: ADA, name: NAME },
        { signal: NO_SIGNAL, cursor: 0, effects: [] },
      ),
    async (open, { cut: project }) => {
      await open.store.deleteBefore(project, CUTOFF, { signal: NO_SIGNAL });
    },
  ];

  const before: Partial<Record<(typeof PROJECTS)[number], Everything>> = {};

  test('arrive as they are in the end, whatever changes them meanwhile and whenever the move is killed', async () => {
    await withFile(async (open) => {
      const of = await projectsOf(open);
      await open.setPrice(of.changed, 'gpt-4o', RATES);
      await send(open.store, of.changed, first, createRandom(TEST_SEED));
      for (const forest of forests.slice(0, 2)) await record(open.store, of.spans, forest, { spans: true });
      await send(open.store, of.cut, cut, createRandom(TEST_SEED));
      await open.settle();
    });
    const planned = await runCommand(words('--plan'));
    expect([planned.code, JSON.parse(planned.stdout)]).toMatchObject([
      0,
      { projects: 3, target: 'empty', isServed: false },
    ]);
    expect(existsSync(`${path}.move`)).toBe(false);
    for (const step of steps) {
      await withFile(async (open) => {
        const copying = moveUntilKilled(below(4_000), '--once');
        await step(open, await projectsOf(open));
        await copying;
      });
    }
    await withFile(async (open) => {
      const of = await projectsOf(open);
      for (const name of PROJECTS) before[name] = await readAll(open.store, of[name]);
    });
    for (let kill = 0; kill < KILLS; kill++) if (await moveUntilKilled(below(3_000))) break;
    const { code, stdout, stderr } = await runCommand(words());
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'done', projects: 3 });
    noteThere = readFileSync(`${path}.move`, 'utf8');
  }, 600_000);

  test('tell the same as before and as a recount', async () => {
    const open = await clickhouse.open(folder.path('.'));
    try {
      const of = await projectsOf(open);
      const changed = await readAll(open.store, of.changed);
      const { found: _, accounts: __, tagged: ___, ...rest } = changed;
      const { found: ____, ...expected } = recountCosts(withoutAda([...repriced(first), ...second]));
      expect(rest).toEqual(expected);
      expect(changed).toEqual(before.changed as Everything);
      expect(JSON.stringify(changed)).not.toContain(ADA);
      const spans = await readAll(open.store, of.spans);
      expect(withoutTrees(spans)).toEqual(withoutTrees(recountAll(countedOnce(forests.flat()))));
      expect(spans).toEqual(before.spans as Everything);
      expect(sumsOfAll(await readAll(open.store, of.cut))).toEqual(sumsOfAll(recountAll(cut)));
      // What was re-priced before can still be taken back.
      await change(worldOf(open), of.changed, { kind: 'restore', id: 'one' });
      expect((await readAll(open.store, of.changed)).byDay).toEqual(
        recountAll(withoutAda([...first, ...second])).byDay,
      );
      // What is sent again is known.
      const again = await record(
        open.store,
        of.changed,
        second.slice(0, 50).filter(({ user_id }) => user_id !== ADA),
      );
      expect(again.stored).toBe(0);
    } finally {
      await open.close();
    }
  }, 600_000);

  test('come back into a new file, killed as often, and tell the same', async () => {
    const back = folder.path('back.db');
    const words = ['move', '--from', url, '--to', `file:${back}`, '--db', path, '--json'];
    const planned = await runCommand([...words, '--plan']);
    expect([planned.code, JSON.parse(planned.stdout)]).toMatchObject([0, { projects: 3, isServed: false }]);
    expect(existsSync(`${back}.part`)).toBe(false);
    for (let kill = 0; kill < KILLS; kill++) {
      const child = Bun.spawn([...cliCommand, ...words, '--once'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), below(2_500));
      const code = await child.exited;
      clearTimeout(timer);
      if (code === 0) {
        // It was done before the kill: the last run begins anew.
        rmSync(back);
        writeFileSync(`${path}.move`, noteThere);
        break;
      }
      expect(code).toBe(137);
    }
    // What is changed between two runs arrives too.
    const engine = await clickhouse.open(folder.path('.'));
    const of = await projectsOf(engine);
    const late = randomEvents(TEST_SEED + 3, 60, NOON - 5 * DAY_MS, NOON);
    const expected: Partial<Record<(typeof PROJECTS)[number], Everything>> = {};
    try {
      await send(engine.store, of.spans, late, createRandom(TEST_SEED));
      await engine.store.deleteBefore(of.cut, CUTOFF + DAY_MS, { signal: NO_SIGNAL });
      for (const name of PROJECTS) expected[name] = await readAll(engine.store, of[name]);
    } finally {
      await engine.close();
    }
    const { code, stdout, stderr } = await runCommand(words);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'done', projects: 3 });
    expect(existsSync(`${back}.part`)).toBe(false);
    await mkdir(folder.path('new'));
    await rename(back, folder.path('new/test.db'));
    const file = await sqlite.open(folder.path('new'));
    try {
      for (const name of ['changed', 'spans'] as const)
        expect(await readAll(file.store, of[name])).toEqual(expected[name] as Everything);
      const cutNow = await readAll(file.store, of.cut);
      expect(sumsOfAll(cutNow)).toEqual(sumsOfAll(expected.cut as Everything));
      expect(cutNow.events).toEqual(expected.cut?.events as Everything['events']);
      await file.settle();
      expect(await readAll(file.store, of.spans)).toEqual(expected.spans as Everything);
      const again = await record(file.store, of.spans, late.slice(0, 20));
      expect(again.stored).toBe(0);
    } finally {
      await file.close();
    }
    const stale = await runCommand(['report', 'costs', '--db', path], '', undefined, { EVENTS_URL: url });
    expect([stale.code, stale.stderr]).toEqual([5, expect.stringContaining(`were moved to file:${back}`)]);
    // For the next test.
    writeFileSync(`${path}.move`, noteThere);
  }, 600_000);

  test('are read from there only: the file says where they are', async () => {
    const { code, stderr } = await runCommand(['report', 'costs', '--db', path]);
    expect(code).toBe(5);
    expect(stderr).toContain(`were moved to ${url}`);
    expect((await runCommand(words())).code).toBe(0);
    // A project that is deleted leaves no rows in the file, which would keep it from being removed.
    const engine = await clickhouse.open(folder.path('.'));
    const { spans } = await projectsOf(engine);
    await engine.store.purge(spans, { signal: NO_SIGNAL });
    await engine.close();
    rmSync(`${path}.move`);
    await withFile(async (open) => {
      const of = await projectsOf(open);
      expect((await readAll(open.store, of.spans)).total).toBe(0);
      expect((await readAll(open.store, of.changed)).total).toBeGreaterThan(0);
    });
    writeFileSync(`${path}.move`, noteThere);
    const dropped = await runCommand(words('--drop-source'));
    expect(dropped.code).toBe(0);
    rmSync(`${path}.move`);
    await withFile(async (open) => {
      const of = await projectsOf(open);
      expect((await readAll(open.store, of.changed)).total).toBe(0);
    });
    // Without its note the file is any other one.
    const other = await runCommand(words());
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('another ledger')]);
  }, 600_000);
});

/** What outlives events: counts, costs and tokens by time and model. */
const sumsOfAll = ({ totals, byDay, byHour, byModel }: Everything) => ({
  totals: withoutTimes(totals),
  byDay: byDay.map(withoutTimes),
  byHour: byHour.map(withoutTimes),
  byModel: inOrder(byModel.map(withoutTimes)),
});

/** Without percentiles and generation speed, which are estimates where only sums are left. */
const withoutTimes = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !isPercentile(name as Measure) && name !== 'tokensPerSec'),
  );
