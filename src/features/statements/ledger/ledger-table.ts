import { LEDGER_SUMS, type LedgerColumns, type LedgerDay } from '../../../core/events/index.ts';
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

const FIRST_ROWS = 256;
const MOST_ACCOUNTS = 2 ** 24;
const [CALLS, TOKENS, NANO, FIRST_BUCKET] = [0, 1, 2, 3];
/** No row. */
const NONE = -1;

/**
 * Sums of a month by party and account, in columns: ten thousand parties have too many rows for objects. Rows may be
 * subtracted.
 */
export type LedgerTable = {
  readonly parties: readonly Party[];
  readonly accounts: readonly Account[];
  party(party: Party): number;
  /** The number of a party; undefined if it is not in the table. */
  find(party: Party): number | undefined;
  account(account: Account): number;
  /**
   * Adds a row of numbers as `rowNumbers` makes them.
   * @param sign -1 to subtract
   * @returns where the next row begins
   */
  add(to: To, sign: 1 | -1, row: Numbers): number;
  /** Adds a row of columns. */
  addColumns(to: To, columns: LedgerColumns, row: number): void;
  /** The rows of a party that are not zero. */
  rowsOf(party: number): Row[];
  /** The sums of a party's rows; null if all are zero. */
  sumsOf(party: number): PartySums | null;
};

type To = { readonly party: number; readonly account: number };
/**
 * `unpriced`: calls without a price. `lines`: the nano-dollars that lines of a statement have, which are those of buckets
 * where there are any. `hasCalls`: whether a row has more than no calls.
 */
export type PartySums = {
  readonly calls: number;
  readonly unpriced: number;
  readonly nano: number;
  readonly lines: number;
  readonly hasCalls: boolean;
};

/** Numbers, and where a row begins. */
export type Numbers = { readonly values: readonly number[]; readonly at: number };

export function createLedgerTable(): LedgerTable {
  const parties: Party[] = [];
  const partyIds = new Map<string | null, Map<string | null, number>>();
  const accounts: Account[] = [];
  const accountIds = new Map<string, number>();
  const places = new Map<number, number>();
  /** By place: the account, and the next row of the same party. By party: its first row. */
  const links = { account: new Int32Array(FIRST_ROWS), next: new Int32Array(FIRST_ROWS) };
  const firsts: number[] = [];
  /** Most buckets are in no row and have no column. */
  const sums: (Float64Array | null)[] = Array.from({ length: LEDGER_SUMS }, () => null);

  function placeOf({ party, account }: To): number {
    const key = party * MOST_ACCOUNTS + account;
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = places.size;
    places.set(key, place);
    if (place === links.account.length) grow();
    links.account[place] = account;
    links.next[place] = firsts[party] ?? NONE;
    firsts[party] = place;
    return place;
  }

  function grow(): void {
    const length = links.account.length * 2;
    links.account = grown(links.account, new Int32Array(length));
    links.next = grown(links.next, new Int32Array(length));
    for (const [sum, column] of sums.entries())
      if (column !== null) sums[sum] = grown(column, new Float64Array(length));
  }

  function addTo(sum: number, place: number, value: number): void {
    if (value === 0) return;
    const column = sums[sum] ?? new Float64Array(links.account.length);
    sums[sum] = column;
    column[place] = (column[place] as number) + value;
  }

  const sumAt = (sum: number, place: number): number => sums[sum]?.[place] ?? 0;
  const isZero = (place: number): boolean => sums.every((column) => column === null || column[place] === 0);

  /** Null if there are no buckets. */
  function nanoInBuckets(place: number): number | null {
    let found: number | null = null;
    for (let at = FIRST_BUCKET; at < LEDGER_SUMS; at += 2) {
      const nano = sumAt(at + 1, place);
      if (nano !== 0 || sumAt(at, place) !== 0) found = (found ?? 0) + nano;
    }
    return found;
  }

  function toRow(place: number): Row {
    const buckets: [number, number, number][] = [];
    for (let bucket = 0; bucket < BILLED_BUCKETS.length; bucket++) {
      const at = FIRST_BUCKET + 2 * bucket;
      const [tokens, nano] = [sumAt(at, place), sumAt(at + 1, place)];
      if (tokens !== 0 || nano !== 0) buckets.push([bucket, tokens, nano]);
    }
    const account = links.account[place] as number;
    const [calls, tokens, nano] = [sumAt(CALLS, place), sumAt(TOKENS, place), sumAt(NANO, place)];
    return { account, calls, tokens, nano, buckets };
  }

  return {
    parties,
    accounts,
    party(party) {
      const { projectId, name } = party;
      const ids = partyIds.get(projectId) ?? new Map<string | null, number>();
      partyIds.set(projectId, ids);
      const known = ids.get(name);
      if (known !== undefined) return known;
      ids.set(name, parties.length);
      return parties.push({ projectId, name }) - 1;
    },
    find: ({ projectId, name }) => partyIds.get(projectId)?.get(name),
    account(account) {
      const { projectId, provider, model, kind, price } = account;
      const key = JSON.stringify([projectId, provider, model, kind, price]);
      const known = accountIds.get(key);
      if (known !== undefined) return known;
      accountIds.set(key, accounts.length);
      return accounts.push({ projectId, provider, model, kind, price }) - 1;
    },
    add(to, sign, { values, at }) {
      const place = placeOf(to);
      for (let i = 0; i < FIRST_BUCKET; i++) addTo(i, place, sign * (values[at + i] as number));
      const end = at + 4 + 3 * (values[at + 3] as number);
      for (let i = at + 4; i < end; i += 3) {
        const bucket = FIRST_BUCKET + 2 * (values[i] as number);
        addTo(bucket, place, sign * (values[i + 1] as number));
        addTo(bucket + 1, place, sign * (values[i + 2] as number));
      }
      return end;
    },
    addColumns(to, columns, row) {
      const place = placeOf(to);
      for (let sum = 0; sum < LEDGER_SUMS; sum++) {
        const column = columns.sums[sum] ?? null;
        if (column !== null) addTo(sum, place, column[row] as number);
      }
    },
    rowsOf(party) {
      const rows: Row[] = [];
      for (let place = firsts[party] ?? NONE; place !== NONE; place = links.next[place] as number)
        if (!isZero(place)) rows.push(toRow(place));
      return rows.reverse();
    },
    sumsOf(party) {
      const all = { calls: 0, unpriced: 0, nano: 0, lines: 0, hasCalls: false };
      let found = false;
      for (let place = firsts[party] ?? NONE; place !== NONE; place = links.next[place] as number) {
        if (isZero(place)) continue;
        found = true;
        const [calls, nano] = [sumAt(CALLS, place), sumAt(NANO, place)];
        const { kind, price } = accounts[links.account[place] as number] as Account;
        all.calls += calls;
        all.nano += nano;
        all.hasCalls ||= calls > 0;
        if (kind === 'unpriced') all.unpriced += calls;
        const inBuckets = price === null ? null : nanoInBuckets(place);
        all.lines += inBuckets ?? (kind === 'unpriced' ? 0 : nano);
      }
      return found ? all : null;
    },
  };
}

function grown<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** A row as numbers, as `add` reads it. */
export const rowNumbers = ({ calls, tokens, nano, buckets }: Row): number[] => [
  calls,
  tokens,
  nano,
  buckets.length,
  ...buckets.flat(),
];
