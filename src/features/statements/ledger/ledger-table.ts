import type { LedgerDay } from '../../../core/events/index.ts';
import { BILLED_BUCKETS } from '../../../core/pricing/contract.ts';

/** What calls are billed at. `summed`: only sums are left of the calls. */
export type Account = {
  readonly projectId: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly kind: LedgerDay['accounts'][number]['kind'] | 'summed';
  readonly price: NonNullable<LedgerDay['accounts'][number]['price']>['applied'] | null;
};

/** Who pays. Users and keys belong to a project, and so does a project; tags have none. */
export type Party = { readonly projectId: string | null; readonly name: string | null };

export const partyKey = ({ projectId, name }: Party): string => JSON.stringify([projectId, name]);

/** Sums of a party and account. Amounts in nano-dollars. */
export type Row = {
  readonly account: number;
  readonly calls: number;
  readonly tokens: number;
  readonly nano: number;
  /** The place in `BILLED_BUCKETS`, tokens and nano-dollars of each bucket. */
  readonly buckets: readonly (readonly [bucket: number, tokens: number, nano: number])[];
};

const WIDTH = 3 + 2 * BILLED_BUCKETS.length;
const FIRST_ROWS = 256;
const MOST_ACCOUNTS = 2 ** 24;

/**
 * Sums of a month by party and account, in one array: ten thousand parties have too many rows for objects. Rows may be
 * subtracted.
 */
export type LedgerTable = {
  readonly parties: readonly Party[];
  readonly accounts: readonly Account[];
  party(party: Party): number;
  account(account: Account): number;
  /**
   * Adds a row of numbers as `LedgerDay` has them, from its calls on.
   * @param sign -1 to subtract
   * @returns where the next row begins
   */
  add(to: { readonly party: number; readonly account: number }, sign: 1 | -1, row: Numbers): number;
  /** The rows of each party that are not zero, by the number of the party. */
  rowsByParty(): Map<number, Row[]>;
};

/** Numbers, and where a row begins. */
export type Numbers = { readonly values: readonly number[]; readonly at: number };

export function createLedgerTable(): LedgerTable {
  const parties: Party[] = [];
  const partyIds = new Map<string, number>();
  const accounts: Account[] = [];
  const accountIds = new Map<string, number>();
  const places = new Map<number, number>();
  let sums = new Float64Array(FIRST_ROWS * WIDTH);

  function placeOf(key: number): number {
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = places.size * WIDTH;
    places.set(key, place);
    if (place + WIDTH > sums.length) {
      const larger = new Float64Array(sums.length * 2);
      larger.set(sums);
      sums = larger;
    }
    return place;
  }

  return {
    parties,
    accounts,
    party(party) {
      const key = partyKey(party);
      const known = partyIds.get(key);
      if (known !== undefined) return known;
      partyIds.set(key, parties.length);
      return parties.push(party) - 1;
    },
    account(account) {
      const { projectId, provider, model, kind, price } = account;
      const key = JSON.stringify([projectId, provider, model, kind, price]);
      const known = accountIds.get(key);
      if (known !== undefined) return known;
      accountIds.set(key, accounts.length);
      return accounts.push({ projectId, provider, model, kind, price }) - 1;
    },
    add({ party, account }, sign, { values, at }) {
      const place = placeOf(party * MOST_ACCOUNTS + account);
      for (let i = 0; i < 3; i++)
        sums[place + i] = (sums[place + i] as number) + sign * (values[at + i] as number);
      const end = at + 4 + 3 * (values[at + 3] as number);
      for (let i = at + 4; i < end; i += 3) {
        const bucket = place + 3 + 2 * (values[i] as number);
        sums[bucket] = (sums[bucket] as number) + sign * (values[i + 1] as number);
        sums[bucket + 1] = (sums[bucket + 1] as number) + sign * (values[i + 2] as number);
      }
      return end;
    },
    rowsByParty() {
      const found = new Map<number, Row[]>();
      for (const [key, place] of places) {
        const row = toRow(key % MOST_ACCOUNTS, sums.subarray(place, place + WIDTH));
        if (row === null) continue;
        const party = Math.floor(key / MOST_ACCOUNTS);
        const own = found.get(party);
        if (own === undefined) found.set(party, [row]);
        else own.push(row);
      }
      return found;
    },
  };
}

function toRow(account: number, sums: Float64Array): Row | null {
  const buckets: [number, number, number][] = [];
  for (let bucket = 0; bucket < BILLED_BUCKETS.length; bucket++) {
    const [tokens, nano] = [sums[3 + 2 * bucket] as number, sums[4 + 2 * bucket] as number];
    if (tokens !== 0 || nano !== 0) buckets.push([bucket, tokens, nano]);
  }
  const [calls, tokens, nano] = sums as unknown as [number, number, number];
  if (calls === 0 && tokens === 0 && nano === 0 && buckets.length === 0) return null;
  return { account, calls, tokens, nano, buckets };
}

/** A row as numbers, as `add` reads it. */
export const rowNumbers = ({ calls, tokens, nano, buckets }: Row): number[] => [
  calls,
  tokens,
  nano,
  buckets.length,
  ...buckets.flat(),
];
