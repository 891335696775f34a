import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { eventInputSchema } from '../../../src/core/events/input/contract.ts';

test('the README names each field of an event', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../../README.md')).text();
  const table = readme.slice(readme.indexOf('| Fields'), readme.indexOf('`/docs/events` on your server'));
  const named = [...table.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  expect(Object.keys(eventInputSchema.shape).filter((field) => !named.includes(field))).toEqual([]);
});
