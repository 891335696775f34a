import { BILLED_BUCKETS } from '../../../../pricing/contract.ts';
import { decodeNumbers, encodeNumbers } from '../../sqlite/codecs/numbers.ts';
import { joinSections, splitSections } from '../../sqlite/codecs/sections.ts';

/** Sums of a row: calls, tokens and nano-dollars, then tokens and nano-dollars of each of `BILLED_BUCKETS`. */
export const LEDGER_SUMS = 3 + 2 * BILLED_BUCKETS.length;
const [TOKENS, NANO, FIRST_BUCKET] = [1, 2, 3];
/** The place of the first bucket's tokens among the sums. */
export const LEDGER_BUCKETS = FIRST_BUCKET;

/** Rows of a `LedgerDay` in columns, a tenth of their size as JSON. */
export type LedgerRows = Uint8Array<ArrayBuffer>;

/** Unpacked rows: the places of parties and accounts, and a column of each sum; null for one that is 0 in all rows. */
export type LedgerColumns = {
  readonly rows: number;
  readonly parties: Float64Array;
  readonly accounts: Float64Array;
  readonly sums: readonly (Float64Array | null)[];
};

const NOTHING = new Uint8Array();

/** @param sums the sums of one row after those of another */
export function packLedgerRows(
  parties: Float64Array,
  accounts: Float64Array,
  sums: Float64Array,
): LedgerRows {
  const rows = parties.length;
  const column = new Float64Array(rows);
  const packed = [encodeNumbers(Float64Array.of(rows)), encodeNumbers(parties), encodeNumbers(accounts)];
  for (let sum = 0; sum < LEDGER_SUMS; sum++) {
    let isZero = true;
    for (let row = 0; row < rows; row++) {
      const rest = (sums[row * LEDGER_SUMS + sum] as number) - inBuckets(sums, row, sum);
      column[row] = rest;
      isZero &&= rest === 0;
    }
    packed.push(isZero ? NOTHING : encodeNumbers(column));
  }
  return new Uint8Array(joinSections(packed));
}

/** Most calls have all their tokens and costs in buckets, so only what is beyond is stored. */
function inBuckets(sums: Float64Array, row: number, sum: number): number {
  let inAll = 0;
  if (sum === TOKENS || sum === NANO)
    for (let i = FIRST_BUCKET + sum - TOKENS; i < LEDGER_SUMS; i += 2)
      inAll += sums[row * LEDGER_SUMS + i] as number;
  return inAll;
}

/** Arrays that columns are unpacked into again and again: those of a month would be a hundred megabytes of garbage. */
export type LedgerSpace = Float64Array[];

/** @param space for the columns, which are overwritten when it is used again */
export function unpackLedgerRows(packed: LedgerRows, space: LedgerSpace = []): LedgerColumns {
  const [count = NOTHING, ...columns] = splitSections(packed);
  const rows = decodeNumbers(count, 1)[0] as number;
  const spaceOf = (place: number): Float64Array => {
    const known = space[place];
    const array = known !== undefined && known.length >= rows ? known : new Float64Array(rows);
    space[place] = array;
    return array.length === rows ? array : array.subarray(0, rows);
  };
  const [parties, accounts, ...sums] = columns.map((column, place) =>
    column.length === 0 ? null : decodeNumbers(column, rows, spaceOf(place)),
  );
  for (const sum of [TOKENS, NANO]) {
    const all = sums[sum] ?? spaceOf(2 + sum).fill(0);
    sums[sum] = all;
    for (let i = FIRST_BUCKET + sum - TOKENS; i < LEDGER_SUMS; i += 2) {
      const bucket = sums[i] ?? null;
      for (let row = 0; bucket !== null && row < rows; row++)
        all[row] = (all[row] as number) + (bucket[row] as number);
    }
  }
  return { rows, parties: parties as Float64Array, accounts: accounts as Float64Array, sums };
}

/**
 * Rows as numbers, one after the other: the place of the party, the place of the account, calls, tokens, nano-dollars,
 * and a number of buckets; then of each bucket its place in `BILLED_BUCKETS`, tokens and nano-dollars.
 */
export function ledgerRowNumbers(packed: LedgerRows): number[] {
  const { rows, parties, accounts, sums } = unpackLedgerRows(packed);
  const numbers: number[] = [];
  const at = (sum: number, row: number): number => sums[sum]?.[row] ?? 0;
  for (let row = 0; row < rows; row++) {
    numbers.push(parties[row] as number, accounts[row] as number, at(0, row), at(TOKENS, row), at(NANO, row));
    const count = numbers.push(0) - 1;
    for (let bucket = 0; bucket < BILLED_BUCKETS.length; bucket++) {
      const [tokens, nano] = [at(FIRST_BUCKET + 2 * bucket, row), at(FIRST_BUCKET + 1 + 2 * bucket, row)];
      if (tokens === 0 && nano === 0) continue;
      (numbers[count] as number)++;
      numbers.push(bucket, tokens, nano);
    }
  }
  return numbers;
}
