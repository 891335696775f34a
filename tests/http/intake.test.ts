import { beforeEach, expect, test } from 'bun:test';
import { AppError } from '../../src/errors.ts';
import { createIntake, type Intake } from '../../src/http/intake.ts';
import { eventually } from '../helpers/eventually.ts';

const LIMITS = { maxCompressed: 1_000, maxRaw: 1_000, encodings: [] };
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
const run = (body: string, work: (text: string) => Promise<string>): Promise<string> =>
  intake.run(post(body), LIMITS, (bytes) => work(text(bytes)));

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
  const refusal = await intake.run(late, LIMITS, async () => 'stored').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  expect(late.bodyUsed).toBe(false);
  room = true;
  expect(new Set(await Promise.all(running))).toEqual(new Set(['stored']));
  expect(await run('z', async () => 'stored')).toBe('stored');
});

test('holds no more than 64 MB of bodies', async () => {
  room = false;
  const big = { maxCompressed: 100_000_000, maxRaw: 100_000_000, encodings: [] };
  const first = intake.run(post('x'.repeat(64 * 1_048_576)), big, async () => 'stored');
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
