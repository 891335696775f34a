import { expect, test } from 'bun:test';
import { DamagedBlob } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import {
  decodePage,
  encodePages,
  hashesOf,
  idHash,
  pageOf,
} from '../../../../../../src/core/events/stores/sqlite/id-index/id-pages.ts';
import { randomBelow } from '../../../../../helpers/random.ts';

const below = randomBelow();
const randomIds = (count: number): Int32Array =>
  Int32Array.from({ length: count * 4 }, () => below(2 ** 32) | 0);

test('pages tell the segments of each id, and seldom one of another id', () => {
  const segments = [...Array.from({ length: 63 }, (_, i) => randomIds(i * 40)), new Int32Array(4)];
  const pages = encodePages(segments.map((ids) => hashesOf('trace_id', ids)));
  const placesOf = (ids: Int32Array, at: number): number[] => {
    const hash = idHash(ids, at);
    return decodePage(pages[pageOf(hash, pages.length)] as Uint8Array).placesOf(hash);
  };
  for (const [place, ids] of segments.entries())
    for (let at = 0; at < ids.length; at += 4)
      if (!placesOf(ids, at).includes(place)) throw new Error(`id ${at / 4} of ${place} is missing`);
  const others = randomIds(5_000);
  let found = 0;
  for (let at = 0; at < others.length; at += 4) found += placesOf(others, at).length;
  expect(found).toBeLessThan(5_000 / 20);
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThan(4_500);
});

test('an id that occurs often in a segment is indexed once', () => {
  const ids = randomIds(1);
  const many = new Int32Array(4 * 3_000);
  for (let at = 0; at < many.length; at += 4) many.set(ids, at);
  expect(hashesOf('trace_id', many)).toHaveLength(1);
});

test('two ids of a segment with the same lower bits name it once', () => {
  const hashes = [Uint32Array.of(1, 0x1_0007, 0x2_0007), Uint32Array.of(0x3_0007), Uint32Array.of(8)];
  const [page = new Uint8Array()] = encodePages(hashes);
  expect(decodePage(page).placesOf(0x1_0007)).toEqual([0, 1]);
});

test('no ids, and damage', () => {
  const [page = new Uint8Array()] = encodePages([new Uint32Array(), new Uint32Array()]);
  expect(decodePage(page).placesOf(17)).toEqual([]);
  expect(() => decodePage(new Uint8Array())).toThrow(DamagedBlob);
  const [filled = new Uint8Array()] = encodePages([hashesOf('event_id', randomIds(9))]);
  filled[12] = (filled[12] as number) ^ 1;
  expect(() => decodePage(filled)).toThrow(DamagedBlob);
});
