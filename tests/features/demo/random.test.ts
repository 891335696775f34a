import { describe, expect, test } from 'bun:test';
import { createRandom } from '../../../src/features/demo/random.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('createRandom', () => {
  test('gives the same sequence for the same seed and another for another', () => {
    const draw = (seed: number): number[] => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('never changes its sequence: demo data stays the same from version to version', () => {
    expect(createRandom(1).uuid()).toBe('dbaaf296-2572-49e6-8cab-97866ffdb978');
  });

  test('draws uniform numbers in [0, 1) with mean one half', () => {
    const random = createRandom(2);
    const draws = Array.from({ length: 20_000 }, () => random.next());
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    expect(draws.reduce((sum, x) => sum + x, 0) / draws.length).toBeCloseTo(0.5, 2);
  });

  test('draws integers including both bounds', () => {
    const random = createRandom(3);
    const seen = new Set(Array.from({ length: 500 }, () => random.int(2, 4)));
    expect([...seen].sort()).toEqual([2, 3, 4]);
  });

  test.each([0, 0.4, 6, 200])('draws Poisson counts with mean %p', (mean) => {
    const random = createRandom(4);
    const draws = Array.from({ length: 5000 }, () => random.poisson(mean));
    const average = draws.reduce((sum, x) => sum + x, 0) / draws.length;
    expect(Math.abs(average - mean)).toBeLessThanOrEqual(0.05 * mean);
    expect(draws.every((x) => Number.isInteger(x) && x >= 0)).toBe(true);
  });

  test('draws log-normal values around the median', () => {
    const random = createRandom(5);
    const draws = Array.from({ length: 9999 }, () => random.logNormal(300, 0.5)).sort((a, b) => a - b);
    expect(Math.abs((draws[4999] ?? 0) - 300)).toBeLessThan(10);
  });

  test('chooses by weight', () => {
    const random = createRandom(6);
    const draws = Array.from({ length: 4000 }, () =>
      random.weighted([
        ['often', 3],
        ['seldom', 1],
        ['never', 0],
      ]),
    );
    expect(draws.filter((x) => x === 'often').length / draws.length).toBeCloseTo(0.75, 1);
    expect(draws).not.toContain('never');
  });

  test('refuses to choose from nothing', () => {
    expect(() => createRandom(1).weighted([])).toThrow(RangeError);
  });

  test('makes hex strings of any length and distinct UUIDs of version 4', () => {
    const random = createRandom(7);
    expect(random.hex(3)).toMatch(/^[0-9a-f]{3}$/);
    expect(random.hex(32)).toMatch(/^[0-9a-f]{32}$/);
    const uuids = Array.from({ length: 2000 }, () => random.uuid());
    expect(uuids.filter((id) => !UUID_V4.test(id))).toEqual([]);
    expect(new Set(uuids).size).toBe(uuids.length);
  });
});
