import { BILLED_BUCKETS, type BilledBucket } from '../../../../pricing/contract.ts';
import type { LedgerDay, LedgerParty } from '../../../ledger.ts';
import { OTHER_TAGS, type Ready } from './accounts.ts';
import { LEDGER_SUMS, packLedgerRows } from './ledger-rows.ts';

const WIDTH = LEDGER_SUMS;
const FIRST_ROWS = 256;
/** More accounts than a project has prices; a party and an account are one number in the map of rows. */
const MOST_ACCOUNTS = 2 ** 20;
/** Combinations of tags that are told apart in a day. What pays by one tag has no limit: its statements are exact. */
export const MAX_TAG_PARTIES = 100_000;

const PLACES = Object.fromEntries(BILLED_BUCKETS.map((bucket, place) => [bucket, 3 + 2 * place])) as Record<
  BilledBucket,
  number
>;

type Key = Omit<LedgerDay['accounts'][number], 'price'> & { readonly price: Ready | null };

/** Sums by party and account in one array (`LEDGER_SUMS` for each), because ten thousand parties have too many rows for objects. */
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

export function createPartyRows(by: LedgerParty): PartyRows {
  const most = by === 'tags' ? MAX_TAG_PARTIES : Number.POSITIVE_INFINITY;
  const parties = new Map<string | null, number>();
  const accountIds = new Map<string, number>();
  const accounts: LedgerDay['accounts'][number][] = [];
  const rows = new Map<number, number>();
  let sums = new Float64Array(FIRST_ROWS * WIDTH);

  return {
    party(name) {
      const known = parties.get(name);
      if (known !== undefined) return known;
      if (parties.size >= most && name !== null && name !== OTHER_TAGS) return this.party(OTHER_TAGS);
      parties.set(name, parties.size);
      return parties.size - 1;
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
      const [ofParty, ofAccount] = [new Float64Array(rows.size), new Float64Array(rows.size)];
      for (const [key, at] of rows) {
        const account = key % MOST_ACCOUNTS;
        ofParty[at / WIDTH] = (key - account) / MOST_ACCOUNTS;
        ofAccount[at / WIDTH] = account;
      }
      return { parties: [...parties.keys()], accounts, rows: packLedgerRows(ofParty, ofAccount, sums) };
    },
  };
}
