import { expect, test } from 'bun:test';
import { createBlobJoiner, splitBlobs } from '../../src/db/blobs.ts';

const bytes = Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251);

test('large byte fields of an input travel in pieces and arrive whole', () => {
  const input = { csv: bytes, name: 'x', small: new Uint8Array([1, 2]) };
  const { rest, parts } = splitBlobs(7, input);
  expect(rest).toEqual({ name: 'x', small: new Uint8Array([1, 2]) });
  const joiner = createBlobJoiner();
  for (const part of parts) {
    expect(part.part.length).toBeLessThanOrEqual(262_144);
    joiner.add(part);
  }
  const joined = joiner.join(7, rest) as typeof input;
  expect(Bun.hash(joined.csv)).toBe(Bun.hash(bytes));
  expect(joined.name).toBe('x');
});

test('a piece of a Buffer holds its own bytes alone, not the memory of the whole', () => {
  for (const { part } of splitBlobs(1, { csv: Buffer.from(bytes) }).parts)
    expect(part.buffer.byteLength).toBe(part.length);
});

test('an input without large fields travels as it is', () => {
  for (const input of [null, 3, 'text', [1], { a: 1 }, { a: new Uint8Array(10) }]) {
    expect(splitBlobs(1, input)).toEqual({ rest: input, parts: [] });
    expect(createBlobJoiner().join(1, input)).toEqual(input);
  }
});

test('pieces of a query that was given up are dropped', () => {
  const joiner = createBlobJoiner();
  for (const part of [...splitBlobs(1, { csv: bytes }).parts].slice(1)) joiner.add(part);
  const { rest, parts } = splitBlobs(2, { csv: bytes });
  for (const part of parts) joiner.add(part);
  expect((joiner.join(2, rest) as { csv: Uint8Array }).csv.length).toBe(bytes.length);
  expect(joiner.join(3, { a: 1 })).toEqual({ a: 1 });
});
