import { expect, test } from 'bun:test';
import { groupEvents } from '../../../src/core/events/stores/sqlite/sums/group-events.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

test('events are grouped by the combination of their codes, in the order of their first event', () => {
  const random = createRandom(TEST_SEED);
  const below = (max: number): number => Math.floor(random() * max);
  for (let round = 0; round < 300; round++) {
    const count = below(200);
    // Up to 2^32, so that combinations are looked up in an array, or in a map.
    const columns = Array.from({ length: below(4) }, () => {
      const codes = Array.from({ length: 1 + below(9) }, () => below([2, 300, 2 ** 32][below(3)] as number));
      return Uint32Array.from({ length: count }, () => codes[below(codes.length)] as number);
    });
    const mask = Uint8Array.from({ length: count }, () => below(round % 2 === 0 ? 2 : 20) && 1);
    const isMasked = round % 3 > 0;
    const { of, firsts } = groupEvents(count, columns, isMasked ? mask : undefined);

    const known = new Map<string, number>();
    const wanted: number[] = [];
    for (let place = 0; place < count; place++) {
      if (isMasked && mask[place] === 0) continue;
      const key = columns.map((codes) => codes[place]).join();
      const group = known.get(key) ?? wanted.push(place) - 1;
      known.set(key, group);
      expect(of[place]).toBe(group);
    }
    expect(firsts).toEqual(wanted);
  }
});
