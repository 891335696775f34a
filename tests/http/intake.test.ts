import { beforeEach, expect, jest, test } from 'bun:test';
import { AppError } from '../../src/errors.ts';
import { createIntake, type Intake } from '../../src/http/intake.ts';
import { eventually } from '../helpers/eventually.ts';

const LIMITS = { maxCompressed: 1_000, maxRaw: 1_000, encodings: [] };
const ACME = { owner: 'acme', member: 'key 1' };
const OF = { limits: LIMITS, sender: ACME };
let room: boolean;
/** How often the intake has looked for room. */
let looks: number;
let intake: Intake;
beforeEach(() => {
  room = true;
  looks = 0;
  intake = createIntake(() => {
    looks++;
    return room;
  });
});

const post = (body: string): Request => new Request('http://x/', { method: 'POST', body });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const run = (body: string, work: (text: string) => Promise<string>, sender = ACME): Promise<string> =>
  intake.run(post(body), { limits: LIMITS, sender }, (bytes) => work(text(bytes)));

test('gives each body its turn in order and lets the event loop go round between them', async () => {
  const seen: string[] = [];
  const work = (body: string): Promise<string> => {
    seen.push(body);
    setImmediate(() => seen.push('round'));
    return Promise.resolve(body.toUpperCase());
  };
  expect(await Promise.all(['a', 'b', 'c'].map((body) => run(body, work)))).toEqual(['A', 'B', 'C']);
  expect(seen.filter((what) => what !== 'round')).toEqual(['a', 'b', 'c']);
  expect(seen.indexOf('round')).toBeLessThan(seen.indexOf('c'));
});

test('long rounds of the event loop, which go to other things, have several turns', async () => {
  let rounds = 0;
  const spin = (): void => {
    const end = performance.now() + 40;
    while (performance.now() < end);
    rounds++;
    timer = setImmediate(spin);
  };
  let timer = setImmediate(spin);
  await Promise.all(Array.from({ length: 60 }, (_, i) => run(`${i}`, async (body) => body)));
  clearImmediate(timer);
  expect(rounds).toBeLessThan(30);
});

test('pauses while the disk is behind, and resumes afterwards', async () => {
  room = false;
  const seen: string[] = [];
  const running = run('a', async (body) => `${seen.push(body)}`);
  await eventually('some looks', () => looks > 3);
  expect(seen).toEqual([]);
  room = true;
  expect(await running).toBe('1');
});

test('refuses excess requests before reading their bodies, and accepts again when there is room', async () => {
  room = false;
  const running = Array.from({ length: 128 }, () => run('x', async () => 'stored'));
  const late = post('y');
  const refusal = await intake.run(late, OF, async () => 'stored').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  expect(late.bodyUsed).toBe(false);
  room = true;
  expect(new Set(await Promise.all(running))).toEqual(new Set(['stored']));
  expect(await run('z', async () => 'stored')).toBe('stored');
});

test('holds no more than 64 MB of bodies', async () => {
  room = false;
  const limits = { maxCompressed: 100_000_000, maxRaw: 100_000_000, encodings: [] };
  const first = intake.run(post('x'.repeat(64 * 1_048_576)), { limits, sender: ACME }, async () => 'stored');
  await eventually('some looks', () => looks > 3);
  await expect(run('y', async () => 'stored')).rejects.toThrow('is overloaded');
  room = true;
  expect(await first).toBe('stored');
  expect(await run('y', async () => 'stored')).toBe('stored');
});

test('failed work frees its slot', async () => {
  for (let i = 0; i < 300; i++) {
    await expect(run('x', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  }
  expect(await run('x', async () => 'stored')).toBe('stored');
});

const globex = { owner: 'globex', member: 'key 2' };

test("another organization's request is worked on after at most one of the thousand that wait", async () => {
  room = false;
  const seen: string[] = [];
  const note = async (body: string): Promise<string> => `${seen.push(body)}`;
  const all = Array.from({ length: 100 }, (_, i) => run(`acme ${i}`, note));
  await eventually('some looks', () => looks > 3);
  all.push(run('globex', note, globex));
  await eventually('more looks', () => looks > 10);
  room = true;
  await Promise.all(all);
  expect(seen.indexOf('globex')).toBeLessThanOrEqual(1);
});

test('a key does not delay other keys of its organization either', async () => {
  room = false;
  const seen: string[] = [];
  const note = async (body: string): Promise<string> => `${seen.push(body)}`;
  const all = Array.from({ length: 100 }, (_, i) => run(`key 1 ${i}`, note));
  await eventually('some looks', () => looks > 3);
  all.push(run('key 2', note, { ...ACME, member: 'key 2' }));
  await eventually('more looks', () => looks > 10);
  room = true;
  await Promise.all(all);
  expect(seen.indexOf('key 2')).toBeLessThanOrEqual(1);
});

test('without free places the newest request of the organization with most gives up its own', async () => {
  room = false;
  const outcomes = Array.from({ length: 128 }, (_, i) =>
    run(`acme ${i}`, async (body) => body).catch((error: AppError) => `${error.status}`),
  );
  await eventually('some looks', () => looks > 3);
  outcomes.push(run('globex', async (body) => body.toUpperCase(), globex));
  room = true;
  const answers = await Promise.all(outcomes);
  expect(answers.at(-1)).toBe('GLOBEX');
  expect(answers[127]).toBe('503');
  expect(answers.filter((answer) => answer === '503')).toHaveLength(1);
});

test('a body counts as its bytes arrive, not as its header promises', async () => {
  const limits = { ...LIMITS, maxRaw: 40_000_000 };
  const promise = (): Request =>
    new Request('http://x/', {
      method: 'POST',
      body: new ReadableStream({ pull: () => new Promise(() => undefined) }),
      headers: { 'content-length': '33000000' },
    });
  // They are cut later, when other tests run.
  const idle = [1, 2, 3, 4].map(() =>
    intake.run(promise(), { limits, sender: ACME }, async () => 'stored').catch(() => 'cut'),
  );
  expect(await run('x', async () => 'stored')).toBe('stored');
  expect(idle).toHaveLength(4);
});

test('a body that stops arriving is cut', async () => {
  jest.useFakeTimers();
  try {
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) }, { highWaterMark: 0 });
    const request = new Request('http://x/', { method: 'POST', body });
    const cut = intake.run(request, OF, async () => 'stored').catch((error: unknown) => error);
    jest.advanceTimersByTime(5_000);
    expect(await cut).toMatchObject({ status: 408, headers: { Connection: 'close' } });
  } finally {
    jest.useRealTimers();
  }
});

test('long work is cut into turns between which others run', async () => {
  const seen: string[] = [];
  const long = intake.run(post('long'), OF, async (_bytes, pause) => {
    for (let i = 0; i < 5; i++) {
      const end = performance.now() + 5;
      while (performance.now() < end);
      seen.push('slice');
      await pause();
    }
    return 'long';
  });
  const short = run('short', async () => `${seen.push('short')}`, globex);
  await Promise.all([long, short]);
  expect(seen.indexOf('short')).toBeLessThan(3);
});
