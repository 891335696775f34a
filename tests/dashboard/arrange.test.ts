import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { arrange, COLUMNS, endOf, fit, type Place } from '../../src/dashboard/ui/grid/arrange.ts';

const cells = fc.integer({ min: -5, max: 40 });
const layouts = fc
  .array(fc.record({ x: cells, y: cells, w: cells, h: cells }), { maxLength: 24 })
  .map((places) => places.map((place, n) => ({ ...place, id: `t${n}` })));
const overlaps = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test('whatever is asked, tiles lie in the grid, do not overlap and have no empty rows above them', () => {
  fc.assert(
    fc.property(layouts, fc.nat(23), (tiles, moved) => {
      const placed = arrange(tiles, `t${moved}`);
      expect(placed.map(({ id }) => id)).toEqual(tiles.map(({ id }) => id));
      for (const tile of placed) {
        expect(tile).toEqual(fit(tile));
        expect(tile.x + tile.w).toBeLessThanOrEqual(COLUMNS);
        const others = placed.filter(({ id }) => id !== tile.id);
        expect(others.some((other) => overlaps(tile, other))).toBe(false);
        const above = others.filter((other) => other.x < tile.x + tile.w && tile.x < other.x + other.w);
        expect(tile.y === 0 || above.some((other) => other.y + other.h === tile.y)).toBe(true);
      }
    }),
  );
});

test('an arranged grid stays as it is', () => {
  fc.assert(
    fc.property(layouts, (tiles) => {
      const once = arrange(tiles);
      expect(arrange(once)).toEqual(once);
    }),
  );
});

test('a tile that is moved onto another takes its place, and the other makes room below', () => {
  const tiles = [
    { id: 'a', x: 0, y: 0, w: 6, h: 2 },
    { id: 'b', x: 0, y: 2, w: 6, h: 2 },
  ];
  const moved = tiles.map((tile) => (tile.id === 'b' ? { ...tile, y: 0 } : tile));
  expect(arrange(moved, 'b').map(({ id, y }) => [id, y])).toEqual([
    ['a', 2],
    ['b', 0],
  ]);
  expect(endOf(arrange(moved, 'b'))).toBe(4);
});
