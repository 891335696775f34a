import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../../src/core/events/store.ts';

/**
 * Where the suite calls each method of a store. A method without a file does not compile.
 */
const COVERAGE: Readonly<Record<keyof EventStore, readonly [string, ...string[]]>> = {
  record: ['send.ts', 'idempotency.test.ts', 'effects.test.ts', 'counting-once.test.ts', 'crash.test.ts'],
  damage: ['health.test.ts'],
  checkStored: ['health.test.ts'],
  readStored: ['health.test.ts'],
  giveUp: ['health.test.ts'],
  hasRoom: ['health.test.ts'],
  unsealed: ['health.test.ts'],
  health: ['health.test.ts'],
  metrics: ['read-all.ts', 'recount-metrics.test.ts', 'retention.test.ts'],
  groups: ['recount-groups.test.ts'],
  deleted: ['retention.test.ts'],
  series: ['recount-metrics.test.ts'],
  events: ['read-all.ts', 'recount-lists.test.ts', 'paging.test.ts', 'isolation.test.ts'],
  eventsAfter: ['read-all.ts', 'paging.test.ts', 'isolation.test.ts'],
  newest: ['recount-lists.test.ts'],
  event: ['read-all.ts', 'recount-lists.test.ts', 'isolation.test.ts'],
  trace: ['read-all.ts', 'isolation.test.ts'],
  traceLine: ['recount-lists.test.ts', 'isolation.test.ts'],
  subjects: ['subjects.test.ts'],
  searchTrace: ['recount-lists.test.ts', 'isolation.test.ts'],
  waterfall: ['read-all.ts', 'isolation.test.ts'],
  traces: ['read-all.ts', 'recount-lists.test.ts', 'paging.test.ts'],
  sessions: ['read-all.ts', 'recount-lists.test.ts', 'paging.test.ts'],
  session: ['read-all.ts', 'isolation.test.ts'],
  sessionEvents: ['read-all.ts', 'paging.test.ts', 'isolation.test.ts'],
  users: ['read-all.ts', 'recount-lists.test.ts', 'paging.test.ts'],
  user: ['read-all.ts', 'recount-lists.test.ts', 'erasure.test.ts'],
  span: ['read-all.ts', 'isolation.test.ts'],
  tags: ['read-all.ts'],
  keepsTagValue: ['tag-values.test.ts'],
  unpriced: ['read-all.ts'],
  ledger: ['read-all.ts'],
  ledgerDays: ['ledger-days.test.ts'],
  ledgerDay: ['ledger-days.test.ts', 'isolation.test.ts'],
  contrast: ['contrast.test.ts', 'isolation.test.ts'],
  links: ['expect-links.ts'],
  linkTimes: ['links.test.ts'],
  runs: ['expect-links.ts'],
  runSeries: ['expect-links.ts'],
  change: ['reprice.ts', 'effects.test.ts'],
  previewReprice: ['changes.test.ts', 'edits.test.ts'],
  deleteBefore: ['retention.test.ts'],
  purge: ['purge.test.ts'],
  eraseUser: ['erasure.test.ts', 'edits.test.ts'],
  erasureProgress: ['erasure.test.ts'],
};

const SUPPORT = join(import.meta.dir, 'support');

test('each method is called by the files that claim to cover it', async () => {
  for (const [method, files] of Object.entries(COVERAGE)) {
    for (const file of files) {
      const folder = file.endsWith('.test.ts') ? import.meta.dir : SUPPORT;
      const text = await Bun.file(join(folder, file)).text();
      const isCalled = text.includes(`store.${method}(`) || (method === 'record' && text.includes('record('));
      expect([file, method, isCalled]).toEqual([file, method, true]);
    }
  }
});

test('the suite uses a store through EventStore only', async () => {
  for (const folder of [import.meta.dir, SUPPORT]) {
    for (const file of readdirSync(folder)) {
      if (!file.endsWith('.ts') || file.startsWith('sqlite')) continue;
      const text = await Bun.file(join(folder, file)).text();
      expect([file, /events\/stores\/|src\/db\/(?!effects)/.test(text)]).toEqual([file, false]);
    }
  }
});
