import { expect, test } from 'bun:test';
import { ofProject } from '../../src/core/tenancy/index.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { record } from './support/send.ts';

eachStore('subjects', {}, (world) => {
  for (const settle of [false, true]) {
    test(`a trace, a span and a session are found with their root and last call${settle ? ', settled' : ''}`, async () => {
      const project = await world.newProject();
      const foreign = await world.newProject();
      await record(world.open.store, project, [
        makeEvent({
          trace_id: 'one',
          span_id: 'a',
          ts: NOON,
          kind: 'chain',
          latency_ms: 500,
          session_id: 's',
        }),
        makeEvent({ trace_id: 'one', span_id: 'b', parent_span_id: 'a', ts: NOON + 10, model: 'first' }),
        makeEvent({
          trace_id: 'one',
          span_id: 'c',
          parent_span_id: 'a',
          ts: NOON + 20,
          model: 'last',
          output: '"x"',
        }),
        makeEvent({ trace_id: 'two', span_id: 'a', ts: NOON + 900, session_id: 's', model: 'other' }),
      ]);
      if (settle) await world.open.settle();
      const of = [
        { traceId: 'one' },
        { traceId: 'one', spanId: 'b' },
        { traceId: 'none' },
        { traceId: 'two', spanId: 'c' },
        { sessionId: 's' },
        { sessionId: 'none' },
        { traceId: 'one', spanId: 'b' },
      ];
      const found = await world.open.store.subjects(ofProject(project), { of, content: false });
      expect(found.map((one) => one && [one.from - NOON, one.root.span_id, one.call?.model ?? null])).toEqual(
        [[0, 'a', 'last'], [10, 'b', 'first'], null, null, [0, 'a', 'other'], null, [10, 'b', 'first']],
      );
      expect(found[0]?.to).toBe(NOON + 500);
      expect(found[0]?.call && 'output' in found[0].call).toBe(false);
      expect(await world.open.store.subjects(ofProject(foreign), { of, content: true })).toEqual(
        of.map(() => null),
      );
    });
  }
});
