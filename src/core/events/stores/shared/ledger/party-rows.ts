import { BILLED_BUCKETS, type BilledBucket } from '../../../../pricing/contract.ts';
import type { LedgerDay } from '../../../ledger.ts';
import type { Ready } from './accounts.ts';

/** Calls, tokens and nano-dollars, then tokens and nano-dollars of each bucket. */
const WIDTH = 3 + 2 * BILLED_BUCKETS.length;
const FIRST_ROWS = 256;
/** More accounts than a project has prices; a party and an account are one number in the map of rows. */
const MOST_ACCOUNTS = 2 ** 20;

const PLACES = Object.fromEntries(BILLED_BUCKETS.map((bucket, place) => [bucket, 3 + 2 * place])) as Record<
  BilledBucket,
  number
>;

type Key = Omit<LedgerDay['accounts'][number], 'price'> & { readonly price: Ready | null };

/** Sums by party and account in one array, because ten thousand parties have too many rows for objects. */
export type PartyRows = {
  /** The numbers of a party and of an account, new ones if there are none. */
  party(name: string | null): number;
  account(key: Key): number;
  /** Where the sums of a party and account begin in `sums()`. */
  rowOf(party: number, account: number): number;
  sums(): Float64Array;
  toDay(): Pick<LedgerDay, 'parties' | 'accounts' | 'rows'>;
};

/** The places of a bucket's tokens; its nano-dollars follow. */
export const placeOfBucket = (bucket: BilledBucket): number => PLACES[bucket];

export function createPartyRows(): PartyRows {
  const parties = new Map<string | null, number>();
  const accountIds = new Map<string, number>();
  const accounts: LedgerDay['accounts'][number][] = [];
  const rows = new Map<number, number>();
  let sums = new Float64Array(FIRST_ROWS * WIDTH);

  return {
    party(name) {
      const known = parties.get(name) ?? parties.size;
      parties.set(name, known);
      return known;
    },
    account({ provider, model, kind, price }) {
      const id = JSON.stringify([provider, model, kind, price?.id ?? null]);
      const known = accountIds.get(id);
      if (known !== undefined) return known;
      const of = price === null ? null : { id: price.id, applied: price.price };
      accountIds.set(id, accounts.length);
      return accounts.push({ provider, model, kind, price: of }) - 1;
    },
    rowOf(party, account) {
      const key = party * MOST_ACCOUNTS + account;
      const known = rows.get(key);
      if (known !== undefined) return known;
      const place = rows.size * WIDTH;
      rows.set(key, place);
      if (place + WIDTH > sums.length) {
        const larger = new Float64Array(sums.length * 2);
        larger.set(sums);
        sums = larger;
      }
      return place;
    },
    sums: () => sums,
    toDay() {
      const all: number[] = [];
      for (const [key, at] of rows) {
        const account = key % MOST_ACCOUNTS;
        all.push((key - account) / MOST_ACCOUNTS, account);
        pushSums(all, sums.subarray(at, at + WIDTH));
      }
      return { parties: [...parties.keys()], accounts, rows: all };
    },
  };
}

function pushSums(all: number[], row: Float64Array): void {
  all.push(row[0] as number, row[1] as number, row[2] as number);
  const count = all.push(0) - 1;
  for (let bucket = 0; bucket < BILLED_BUCKETS.length; bucket++) {
    const tokens = row[3 + 2 * bucket] as number;
    if (tokens === 0) continue;
    (all[count] as number)++;
    all.push(bucket, tokens, row[4 + 2 * bucket] as number);
  }
}
