/** Rows 0 to `capacity - 1` ordered by age, at first by number. */
export interface RowAges {
  oldest(): number;
  makeNewest(row: number): void;
  makeOldest(row: number): void;
}

/** A circular list of rows in two typed arrays. The extra row `capacity` joins the newest to the oldest. */
export function createRowAges(capacity: number): RowAges {
  const newer = Int32Array.from({ length: capacity + 1 }, (_, row) => (row + 1) % (capacity + 1));
  const older = Int32Array.from({ length: capacity + 1 }, (_, row) => (row + capacity) % (capacity + 1));

  const unlink = (row: number): void => {
    const before = older[row] as number;
    const after = newer[row] as number;
    newer[before] = after;
    older[after] = before;
  };
  const linkAfter = (before: number, row: number): void => {
    const after = newer[before] as number;
    newer[before] = row;
    older[row] = before;
    newer[row] = after;
    older[after] = row;
  };

  return {
    oldest: () => newer[capacity] as number,
    makeNewest(row) {
      unlink(row);
      linkAfter(older[capacity] as number, row);
    },
    makeOldest(row) {
      unlink(row);
      linkAfter(capacity, row);
    },
  };
}
