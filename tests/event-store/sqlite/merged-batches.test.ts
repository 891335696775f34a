import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { type OpenLog, openLog } from '../../core/events/stores/sqlite/open-log.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { NOON } from '../support/make-event.ts';
import { randomEvents } from '../support/random-events.ts';
import { readAll } from '../support/read-all.ts';
import { recountAll } from '../support/recount-all.ts';

const EVENTS = 600;
/** Several groups of 64 batches, of which the newest is not complete. */
const BATCH = 3;

let log: OpenLog;
let project: ProjectScope;
const events = randomEvents(TEST_SEED, EVENTS, NOON - 2 * DAY_MS, NOON);
const expected = recountAll(events);

beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
  const other = await log.newProject();
  for (const [keyId, own] of Map.groupBy(events, ({ key_id }) => key_id)) {
    for (let at = 0; at < own.length; at += BATCH) {
      // Some are sent twice, beside new ones.
      const again = at % 30 === 0 ? own.slice(Math.max(0, at - 2), at) : [];
      await log.record(project, [...again, ...own.slice(at, at + BATCH)], { keyId });
      // Other projects' batches come in between.
      if (at % 30 === 0) await log.record(other, randomEvents(TEST_SEED + at, 2, NOON, NOON + 1));
    }
  }
});
afterAll(() => log.close());

const unsealed = (): number => Number(log.reader(project).rows('SELECT count(*) FROM event_log')[0]?.[0]);

test('many unsealed batches, which are read merged, give what a recount gives', async () => {
  expect(unsealed()).toBeGreaterThan(180);
  expect(await readAll(log.store, project)).toEqual(expected);
  // The second time, from what the first one kept.
  expect(await readAll(log.store, project)).toEqual(expected);
});

test('batches that are sealed after they were merged are not read twice', async () => {
  const before = unsealed();
  for (const part of [0.3, 0.6, 1]) {
    const instant = NOON - 2 * DAY_MS + part * 2 * DAY_MS;
    await log.ctx.use(sealerService).sealAll(project.no, part === 1 ? undefined : instant);
    expect(unsealed()).toBeLessThan(before);
    expect(await readAll(log.store, project)).toEqual(expected);
  }
  expect(unsealed()).toBe(0);
});
