/** Rows 0 to `capacity - 1` ordered by age, at first by number. */
export interface RowAges {
  oldest(): number;
  makeNewest(row: number): void;
  makeOldest(row: number): void;
}

/** A circular list of rows in two typed arrays. The extra row `capacity` joins the newest to the oldest. */
export function createRowAges(capacity: number): RowAges {
  const newer = new Int32Array(capacity + 1);
  const older = new Int32Array(capacity + 1);
  for (let row = 0; row <= capacity; row++) {
    newer[row] = row === capacity ? 0 : row + 1;
    older[row] = row === 0 ? capacity : row - 1;
  }

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
