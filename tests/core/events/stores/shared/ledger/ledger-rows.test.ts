import { expect, test } from 'bun:test';
import {
  LEDGER_SUMS,
  type LedgerSpace,
  ledgerRowNumbers,
  packLedgerRows,
  unpackLedgerRows,
} from '../../../../../../src/core/events/stores/shared/ledger/ledger-rows.ts';
import { randomBelow, TEST_SEED } from '../../../../../helpers/random.ts';

const random = randomBelow();

/** Rows of which a third of the buckets are empty, and whose tokens and costs are not always those of their buckets. */
function makeRows(count: number) {
  const [parties, accounts] = [new Float64Array(count), new Float64Array(count)];
  const sums = new Float64Array(count * LEDGER_SUMS);
  const columns = Array.from({ length: LEDGER_SUMS }, () => random(3) > 0);
  for (let row = 0; row < count; row++) {
    parties[row] = random(1_000);
    accounts[row] = random(50);
    for (let sum = 0; sum < LEDGER_SUMS; sum++)
      if (columns[sum] && random(4) > 0) sums[row * LEDGER_SUMS + sum] = random(2 ** (1 + random(45)));
  }
  return { parties, accounts, sums };
}

test(`packed rows come back exactly, also into space that was used before (TEST_SEED=${TEST_SEED})`, () => {
  const space: LedgerSpace = [];
  for (const count of [0, 1, 3, 1_000, 40, 200]) {
    const { parties, accounts, sums } = makeRows(count);
    const packed = packLedgerRows(parties, accounts, sums);
    for (const columns of [unpackLedgerRows(packed), unpackLedgerRows(packed, space)]) {
      expect(columns.rows).toBe(count);
      expect([...columns.parties]).toEqual([...parties]);
      expect([...columns.accounts]).toEqual([...accounts]);
      const rows = Array.from({ length: count * LEDGER_SUMS }, (_, at) => {
        const column = columns.sums[at % LEDGER_SUMS];
        return column?.[Math.floor(at / LEDGER_SUMS)] ?? 0;
      });
      expect(rows).toEqual([...sums]);
    }
    const numbers = ledgerRowNumbers(packed);
    let at = 0;
    for (let row = 0; row < count; row++) {
      const own = sums.subarray(row * LEDGER_SUMS, (row + 1) * LEDGER_SUMS);
      const [party, account, calls, tokens, nano, buckets = 0] = numbers.slice(at, at + 6);
      expect([party, account, calls, tokens, nano]).toEqual([
        parties[row] as number,
        accounts[row] as number,
        ...own.subarray(0, 3),
      ]);
      const inBuckets = new Float64Array(LEDGER_SUMS - 3);
      for (let i = at + 6; i < at + 6 + 3 * buckets; i += 3)
        inBuckets.set(numbers.slice(i + 1, i + 3), 2 * (numbers[i] as number));
      expect([...inBuckets]).toEqual([...own.subarray(3)]);
      at += 6 + 3 * buckets;
    }
    expect(numbers.length).toBe(at);
  }
});
