import { expect, test } from 'bun:test';
import { OTHER } from '../../src/core/events/metrics.ts';
import { ofProject } from '../../src/core/tenancy/index.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent } from './support/make-event.ts';
import { ALL } from './support/read-all.ts';
import { sum } from './support/recount.ts';
import { inBatches, record } from './support/send.ts';

/** More values of one tag than any store has to tell apart. */
const VALUES = 1_200;

eachStore('the values of a tag', {}, (world) => {
  test('values beyond the limit are one group, and no call is lost', async () => {
    const [project, other] = [await world.newProject(), await world.newProject()];
    const { store } = world.open;
    const scope = ofProject(project);
    const calls = Array.from({ length: VALUES }, (_, i) =>
      makeEvent({ tags: { request: `r${i}`, team: 'core' } }),
    );
    for (const batch of inBatches(calls, 400)) await record(store, project, batch);
    const query = { measures: ['requests'], window: ALL } as const;
    const { requests, teams } = await store.metrics(scope, {
      requests: { ...query, groupBy: ['tag:request'] },
      teams: { ...query, groupBy: ['tag:team'] },
    });
    expect(sum(requests.map((row) => row.requests))).toBe(VALUES);
    expect(teams.map((row) => [row['tag:team'], row.requests])).toEqual([['core', VALUES]]);
    const kept = new Set(requests.map((row) => row['tag:request']));
    expect(kept.has(OTHER)).toBe(true);
    expect(await store.keepsTagValue(scope, { tag: 'request', value: 'r0' })).toBe(true);
    expect(await store.keepsTagValue(scope, { tag: 'request', value: `r${VALUES - 1}` })).toBe(
      kept.has(`r${VALUES - 1}`),
    );
    expect(await store.keepsTagValue(scope, { tag: 'request', value: 'a new one' })).toBe(false);
    expect(await store.keepsTagValue(scope, { tag: 'team', value: 'a new one' })).toBe(true);
    expect(await store.keepsTagValue(ofProject(other), { tag: 'request', value: 'a new one' })).toBe(true);
  });
});
