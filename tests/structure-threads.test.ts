import { expect, test } from 'bun:test';
import { eventReads } from '../src/event-reads.ts';
import { modules } from '../src/features.ts';
import { writesOf } from '../src/module.ts';
import { otherReads } from '../src/other-reads.ts';
import { works } from '../src/works.ts';
import { writes } from '../src/writes.ts';

const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name).sort();

test('the writer thread runs the writes and effects of all manifests', () => {
  const listed = writesOf(modules);
  expect(namesOf(writes.ops), 'Add a new write to src/writes.ts').toEqual(namesOf(listed.ops));
  expect(new Set(writes.ops)).toEqual(new Set(listed.ops));
  expect(new Set(writes.effects), 'Add a new effect to src/writes.ts').toEqual(new Set(listed.effects));
});

test('the readers run the reads of all manifests', () => {
  const listed = modules.flatMap((module) => module.reads ?? []);
  const reads = [...eventReads, ...otherReads];
  expect(namesOf(reads), 'Add a new read to src/other-reads.ts').toEqual(namesOf(listed));
  expect(new Set(reads)).toEqual(new Set(listed));
});

test('the work thread runs the works of all manifests', async () => {
  const listed = modules.flatMap((module) => module.works ?? []);
  expect(Object.keys(works).sort(), 'Add a new work to src/works.ts').toEqual(namesOf(listed));
  for (const work of listed) expect(await works[work.name]?.()).toBe(work);
});
