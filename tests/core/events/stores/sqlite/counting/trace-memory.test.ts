import { expect, test } from 'bun:test';
import { createTraceMemory } from '../../../../../../src/core/events/stores/sqlite/counting/trace-memory.ts';
import { randomBelow } from '../../../../../helpers/random.ts';

const BATCH = 1_000;
const below = randomBelow();
const traces = (count: number): Int32Array[] =>
  Array.from({ length: count }, () => Int32Array.from({ length: 4 }, () => below(2 ** 32) | 0));

test('while a generation is kept, all traces of the batches since are remembered', () => {
  const memory = createTraceMemory();
  const first = traces(BATCH);
  expect(memory.since(1)).toBeNull();
  for (const trace of first) memory.note(7, trace, 10);
  // A batch of before the start.
  expect(memory.since(9)).toBeNull();
  const since = memory.since(10);
  expect(since?.isKept).toBeTrue();

  // Batches of other projects, until what came first is forgotten; some traces go on meanwhile.
  const lasting = traces(20);
  const sinceBatch = new Map<number, ReturnType<typeof memory.since>>();
  let seq = 11;
  for (; since?.isKept; seq++) {
    for (const trace of traces(BATCH)) memory.note(8, trace, seq);
    for (const trace of lasting) memory.note(7, trace, seq);
    sinceBatch.set(seq, memory.since(seq));
    if (since.isKept) expect(first.every((trace) => memory.mayHave(7, trace))).toBeTrue();
  }
  expect(seq * BATCH).toBeGreaterThan(2_000_000);
  expect(memory.since(10)).toBeNull();
  expect(first.filter((trace) => memory.mayHave(7, trace)).length).toBeLessThan(50);
  // What is told of a batch is right as long as it holds.
  const kept = [...sinceBatch].filter(([, generation]) => generation?.isKept);
  expect(kept.length).toBeGreaterThan(1_000);
  expect(lasting.every((trace) => memory.mayHave(7, trace))).toBeTrue();
  const [earliest = 0] = kept[0] ?? [];
  expect(memory.since(earliest)?.isKept).toBeTrue();
});
