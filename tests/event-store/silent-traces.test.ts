import { expect, test } from 'bun:test';
import type { EventFilters } from '../../src/core/events/selection.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { ALL, pages } from './support/read-all.ts';
import { record } from './support/send.ts';

eachStore('traces with silences', {}, (world) => {
  const span = (trace: string, hours: number, status: 'success' | 'error' = 'success') =>
    makeEvent({ trace_id: trace, ts: NOON - 100 * HOUR_MS + hours * HOUR_MS, status });

  /** Trace, start in hours and spans of each line, in pages of one and of ten. */
  async function linesOf(project: ProjectScope, filters: EventFilters = {}) {
    const [one, ten] = await Promise.all(
      [1, 10].map((limit) =>
        pages(async (cursor) => {
          const query = { filters, calls: false, window: ALL, cursor, limit };
          const page = (await world.open.store.traces(ofProject(project), query)).parse();
          return { rows: page.traces, nextCursor: page.nextCursor };
        }),
      ),
    );
    expect(one).toEqual(ten ?? []);
    return one?.map(({ trace_id, start, spans }) => [
      trace_id,
      (Date.parse(start) - NOON) / HOUR_MS + 100,
      spans,
    ]);
  }

  for (const settle of [false, true]) {
    test(`a trace that is silent for more than a day is listed once, with all its spans${settle ? ', settled' : ''}`, async () => {
      const project = await world.newProject();
      await record(world.open.store, project, [
        span('silent', 1),
        span('silent', 31),
        span('silent', 32, 'error'),
        span('steady', 2),
        span('steady', 22),
        span('steady', 42, 'error'),
      ]);
      if (settle) await world.open.settle();
      expect(await linesOf(project)).toEqual([
        ['steady', 2, 3],
        ['silent', 1, 3],
      ]);
      // Only spans that match decide the place in the list; a line has all spans.
      expect(await linesOf(project, { status: 'error' })).toEqual([
        ['steady', 2, 3],
        ['silent', 1, 3],
      ]);
    });
  }
});
