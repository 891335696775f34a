import { expect, test } from 'bun:test';
import { nearest } from '../../src/lib/nearest.ts';

const known = ['serve', 'keys', 'PORT', 'DATABASE_URL'];

test.each([
  ['sevre', 'serve'],
  ['key', 'keys'],
  ['prot', 'PORT'],
  ['databse_ur', 'DATABASE_URL'],
  ['backup', undefined],
  ['zz', undefined],
])('the nearest of %s is %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
