import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { projectsChanged } from '../../src/core/projects/index.ts';
import { projects } from '../../src/core/projects/table.ts';
import { linesOf, openSdkWorld, type SdkWorld } from './world.ts';

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld();
});
afterEach(() => world.close());

const CALL = { provider: 'openai', model: 'gpt-4o' };

const change = async (settings: Partial<typeof projects.$inferInsert>): Promise<void> => {
  const { ctx, seed } = world.app;
  await ctx.db.sql.update(projects).set(settings).where(eq(projects.id, seed.projectId));
  ctx.emit(projectsChanged);
};

const sentText = (): string => world.sent.flatMap(linesOf).join();

test('the project’s sensitive keys are redacted before the first event leaves', async () => {
  await change({ redactKeys: ['iban'], configVersion: 2 });
  world.client.track({ ...CALL, metadata: { deep: [{ IBAN: 'DE-secret' }] } });
  expect(await world.events()).toMatchObject([{ metadata: { deep: [{ IBAN: '[REDACTED]' }] } }]);
  expect(sentText()).not.toContain('DE-secret');
});

test('a change applies with the next reply, without a restart', async () => {
  world.client.track(CALL);
  await world.client.flush();
  await change({ redactKeys: ['iban'], sampleRate: 0, configVersion: 2 });
  world.client.track(CALL);
  await world.client.flush();
  for (let i = 0; i < 5; i++) world.client.track(CALL);
  expect(await world.client.flush()).toMatchObject({ accepted: 2, sampledOut: 5, pending: 0 });
});

test('a client that samples nothing still learns of a new rate', async () => {
  await change({ sampleRate: 0, configVersion: 2 });
  world.client.track(CALL);
  await world.client.flush();
  await change({ sampleRate: 1, configVersion: 3 });
  setSystemTime(Date.now() + 61_000);
  world.client.track(CALL);
  await world.client.flush();
  world.client.track(CALL);
  expect(await world.client.flush()).toMatchObject({ accepted: 1, sampledOut: 2 });
  setSystemTime();
});

test('when the rate decreases, queued events are sampled too, whole traces at a time', async () => {
  await change({ sampleRate: 0.5, configVersion: 2 });
  for (let i = 0; i < 40; i++) {
    world.client.trace(`t${i}`, (span) => {
      span.track(CALL);
      span.track(CALL);
    });
  }
  const stats = await world.client.flush();
  const events = await world.events();
  expect(stats.sampledOut + stats.accepted).toBe(120);
  expect(stats.sampledOut).toBeGreaterThan(0);
  const sizes = new Map<string, number>();
  for (const { trace_id } of events) sizes.set(trace_id, (sizes.get(trace_id) ?? 0) + 1);
  expect(new Set(sizes.values())).toEqual(new Set([3]));
});

test('prompts leave only if both sides allow them', async () => {
  await world.close();
  world = await openSdkWorld({ storePrompts: true });
  world.client.track({ ...CALL, input: 'the-first-prompt', output: 'x' });
  await world.client.flush();
  expect(sentText()).not.toContain('the-first-prompt');
  await change({ storePrompts: true, configVersion: 2 });
  world.client.track(CALL);
  await world.client.flush();
  world.client.track({ ...CALL, input: 'a later prompt', output: 'an answer' });
  const events = await world.events();
  expect(events.map(({ input, output }) => [input ?? null, output ?? null])).toEqual([
    [null, null],
    [null, null],
    ['a later prompt', 'an answer'],
  ]);
});
