import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  beginIndexOp,
  indexPagesOp,
} from '../../../../../src/core/events/stores/sqlite/id-index/index-ops.ts';
import { keepRowsOp } from '../../../../../src/core/events/stores/sqlite/runs/keep-rows.ts';
import { eventTables } from '../../../../../src/core/events/stores/sqlite/tables.ts';
import type { ProjectScope } from '../../../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../../../src/lib/time.ts';
import { NOON } from '../../../../event-store/support/make-event.ts';
import { makeSpan } from '../../../../event-store/support/make-forest.ts';
import { randomEvents } from '../../../../event-store/support/random-events.ts';
import { type OpenLog, openLog } from './open-log.ts';

let log: OpenLog;
let projects: readonly [ProjectScope, ProjectScope];
beforeAll(async () => {
  log = openLog();
  projects = [await log.newProject(), await log.newProject()];
  const trace = 'ab'.repeat(16);
  const [outer, inner] = ['1'.repeat(16), '2'.repeat(16)];
  for (const project of projects) {
    for (const isSealed of [true, false]) {
      await log.record(project, randomEvents(Number(isSealed), 900, NOON - 2 * DAY_MS, NOON));
      // Below a call of a later batch, the first no longer counts: a flip.
      const id = isSealed ? trace : 'cd'.repeat(16);
      await log.record(project, [makeSpan(id, inner, { parent_span_id: outer })], { spans: true });
      if (isSealed) await log.seal(project);
      await log.record(project, [makeSpan(id, outer, {})], { spans: true });
      const called = {
        kind: 'tool',
        tool: 'search',
        is_call: false,
        cost_nano: null,
        cost_status: null,
      } as const;
      await log.record(project, [makeSpan(id, '3'.repeat(16), called)], { spans: true });
      if (isSealed) await log.seal(project);
    }
    await index(project);
    await keepRows(project);
  }
});
afterAll(() => log.close());

/** As the job does for projects with many segments. */
async function index({ no: project }: ProjectScope): Promise<void> {
  const { writer } = log.ctx.db;
  const begin = { project, segments: [project], pages: { trace_id: 1, event_id: 0 } };
  const no = (await writer.write(beginIndexOp, begin)) ?? 0;
  const data = new Uint8Array(9);
  const pages = [{ column: 'trace_id' as const, number: 0, data }];
  await writer.write(indexPagesOp, { project, no, pages, isLast: true });
}

/** As the job does for projects with agents. */
async function keepRows(scope: ProjectScope): Promise<void> {
  const [[no = 0] = []] = log.reader(scope).rows('SELECT min(no) FROM event_segments');
  const rows = [{ no: Number(no), version: 1, flips: '', base64: 'AAAA' }];
  await log.ctx.db.writer.write(keepRowsOp, { project: scope.no, rows });
}

test('a reader of one project sees no row of another in any table, even by SQL without a filter', () => {
  const [own, other] = projects;
  const reader = log.reader(own);
  const empty = [
    'event_prices',
    'event_log_damaged',
    'label_packs',
    'rows_from',
    'repriced_events',
    'undated_events',
    'event_outbox',
  ];
  const filled = eventTables.map(({ name }) => name).filter((name) => !empty.includes(name));
  for (const table of filled) {
    expect([table, reader.rows(`SELECT DISTINCT project FROM ${table}`)]).toEqual([table, [[own.no]]]);
    expect(reader.rows(`SELECT count(*) FROM ${table} WHERE project = ?`, [other.no])).toEqual([[0]]);
  }
});
