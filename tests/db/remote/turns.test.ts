import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openRemoteControl } from '../../../src/db/remote/remote-control.ts';
import {
  GIVE_BACK,
  HAS_TURN,
  openTurns,
  TURNS_TABLE,
  type Turn,
  type Turns,
} from '../../../src/db/remote/turns.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { randomBelow } from '../../helpers/random.ts';
import { type LibsqlThread, startLibsqlThread } from '../../libsql/start.ts';

const TURN_MS = 150;
const STEPS = 400;
const NAMES = ['a', 'b', 'c'];

const folder = openFolder();
const below = randomBelow();
let server: LibsqlThread;
let control: ReturnType<typeof openRemoteControl>;

beforeAll(async () => {
  server = await startLibsqlThread(folder.path('server.db'));
  control = openRemoteControl({ url: server.url, token: null, holder: null }, () =>
    Promise.reject(new Error('no writes')),
  );
  await control.run({ sql: TURNS_TABLE, args: [] });
}, 60_000);
afterAll(async () => {
  control.close();
  await server.stop();
  folder.remove();
});

let made = 0;
const open = (): Turns => openTurns(`holder ${made++}`, control.run, { turnMs: TURN_MS });
const has = async ({ name, holder, seq }: Turn): Promise<boolean> =>
  (await control.run({ sql: `SELECT ${HAS_TURN}`, args: [name, holder, seq] })).rows[0]?.[0] === 1;
const giveBack = async (turns: Turns, turn: Turn): Promise<void> => {
  turns.end([turn]);
  await control.run({ sql: GIVE_BACK, args: [turn.name, turn.holder, turn.seq] });
};

test('at any time one process has the turn, its numbers grow, and what it knows is told to be old after another one', async () => {
  const processes = [open(), open(), open()];
  const held: (Turn | null)[][] = processes.map(() => NAMES.map(() => null));
  const last = new Map<string, { seq: number; holder: string }>();
  for (let step = 0; step < STEPS; step++) {
    const [place, at] = [below(processes.length), below(NAMES.length)];
    const [turns, mine] = [processes[place] as Turns, held[place] as (Turn | null)[]];
    const name = NAMES[at] as string;
    const own = mine[at] ?? null;
    if (own !== null) {
      if (below(8) === 0) {
        // It dies: nothing is given back or renewed.
        turns.close();
        processes[place] = open();
        held[place] = NAMES.map(() => null);
      } else {
        await giveBack(turns, own);
        mine[at] = null;
      }
      continue;
    }
    const before = last.get(name);
    const taken = (await turns.take([name])).get(name);
    if (taken === undefined) continue;
    expect(taken.seq).toBe((before?.seq ?? 0) + 1);
    expect(taken.isContinued).toBe(before !== undefined && before.holder === taken.holder);
    // Whoever had it and did not give it back has it no more, and may still be heard of.
    const lost = held.flatMap((one, other) => (other !== place && one[at] != null ? [one[at]] : []));
    for (const one of lost) expect(await has(one)).toBe(false);
    expect(await has(taken)).toBe(true);
    last.set(name, { seq: taken.seq, holder: taken.holder });
    for (const one of held) one[at] = null;
    mine[at] = taken;
  }
  for (const turns of processes) turns.close();
}, 60_000);

test('a turn that is not given back is renewed while its process lives, and free soon after it died', async () => {
  const [first, second] = [open(), open()];
  const turn = (await first.take(['kept'])).get('kept') as Turn;
  expect(turn.lateMs).toBe(0);
  const until = performance.now() + 4 * TURN_MS;
  while (performance.now() < until) expect((await second.take(['kept'])).size).toBe(0);
  expect([turn.isHeld(), await has(turn)]).toEqual([true, true]);
  first.close();
  let next: Turn | undefined;
  await eventually('the turn of a dead process', async () => {
    next = (await second.take(['kept'])).get('kept');
    return next !== undefined;
  });
  expect([turn.isHeld(), await has(turn)]).toEqual([false, false]);
  // What the dead process has sent may arrive for a minute.
  expect(next?.lateMs).toBeGreaterThan(60_000);
  second.close();
}, 30_000);

test('who waits gets the next turn, also from one who takes it again at once', async () => {
  const [busy, waiting] = [open(), open()];
  const turn = (await busy.take(['shared'])).get('shared') as Turn;
  expect((await waiting.take(['shared'])).size).toBe(0);
  await giveBack(busy, turn);
  expect((await busy.take(['shared'])).size).toBe(0);
  expect((await waiting.take(['shared'])).size).toBe(1);
  busy.close();
  waiting.close();
}, 30_000);
