/** A tile's place in a grid, in cells: column and row of its first cell, columns and rows that it takes. */
export type Place = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

export const COLUMNS = 12;
const LEAST = 2;
const MOST_HEIGHT = 20;

const overlap = (a: Place, b: Place): boolean =>
  a.id !== b.id && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value)));

/** A place within the grid: as wide and high as allowed, and not beyond its last column. */
export function fit<T extends Place>(place: T): T {
  const w = clamp(place.w, LEAST, COLUMNS);
  return {
    ...place,
    w,
    h: clamp(place.h, LEAST, MOST_HEIGHT),
    x: clamp(place.x, 0, COLUMNS - w),
    y: Math.max(0, Math.round(place.y)),
  };
}

/**
 * Tiles without overlaps and without empty rows above them. The one that was moved keeps its place as far as the rows
 * above it allow; others make room below.
 */
export function arrange<T extends Place>(tiles: readonly T[], movedId?: string): T[] {
  const isMoved = (tile: T): number => (tile.id === movedId ? 0 : 1);
  const inOrder = tiles
    .map(fit)
    .toSorted((a, b) => a.y - b.y || isMoved(a) - isMoved(b) || a.x - b.x || (a.id < b.id ? -1 : 1));
  const placed: T[] = [];
  for (const tile of inOrder) {
    let y = 0;
    // The lowest row at which nothing that is placed lies in the way below.
    for (const other of placed)
      if (overlap({ ...tile, y: 0, h: Number.MAX_SAFE_INTEGER }, other)) y = Math.max(y, other.y + other.h);
    placed.push({ ...tile, y });
  }
  const byId = new Map(placed.map((tile) => [tile.id, tile]));
  return tiles.map((tile) => byId.get(tile.id) ?? tile);
}

/** The first free row below all tiles. */
export const endOf = (tiles: readonly Place[]): number => Math.max(0, ...tiles.map(({ y, h }) => y + h));

/** Tiles as they are read: by row, then by column. */
export const readingOrder = <T extends Place>(tiles: readonly T[]): T[] =>
  tiles.toSorted((a, b) => a.y - b.y || a.x - b.x);
