import type { SqlValue } from '../../../../../db/connection.ts';
import { amountNano, type Rate, sumOf } from '../../../../pricing/index.ts';
import { type CostStatus, EVENT_STATUSES } from '../../../contract.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Codes, codesOf, codesOfNumber, keyAt } from '../scan/codes.ts';
import { costStatusOf } from '../scan/match.ts';
import { bucketsAt } from '../scan/to-event.ts';
import { groupEvents } from '../sums/group-events.ts';
import type { Ready } from './accounts.ts';
import { ANSWERED, isPriced, linesOfCall, TOKEN_BUCKETS, textOf } from './add-calls.ts';
import { type PartyRows, placeOfBucket } from './party-rows.ts';

const BUCKET_PLACES = TOKEN_BUCKETS.map(([bucket]) => placeOfBucket(bucket));
const FEE_PLACE = placeOfBucket('request');

/** Calls of a model with the same cost status and price, and the numbers of their accounts once they are needed. */
type Group = {
  readonly name: { readonly provider: string | null; readonly model: string | null };
  readonly costStatus: CostStatus | null;
  readonly price: Ready | null;
  readonly rates: readonly (Rate | undefined)[];
  readonly fee: number;
  explained: number;
  others: number;
};

/**
 * Adds the selected calls of a chunk to the sums of their parties, to the same accounts as `addCalls`.
 * @param mask 1 for each selected call
 */
export function addPartyCalls(
  rows: PartyRows,
  chunk: Chunk,
  mask: Uint8Array,
  how: { readonly prices: ReadonlyMap<number, Ready>; readonly parties: Codes },
): void {
  const statuses = { codes: chunk.bytes('cost_status'), valueAt: (code: number) => code };
  const keys = [codesOf(chunk, 'provider'), codesOf(chunk, 'model'), statuses, codesOfNumber(chunk, 'price')];
  const { of, firsts } = groupEvents(
    chunk.events,
    keys.map(({ codes }) => codes),
    mask,
  );
  const groups = firsts.map((place) => toGroup(keyAt(keys, place), how.prices));
  const partyAt = partiesOf(rows, how.parties);
  const add = adderOf(rows, chunk);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const group = groups[of[place] as number] as Group;
    const party = partyAt(place);
    if (!add(group, party, place)) addExplained(rows, chunk, place, { group, party });
  }
}

function toGroup(
  [provider, model, costStatus, price]: readonly SqlValue[],
  prices: ReadonlyMap<number, Ready>,
): Group {
  const ready = prices.get(Number(price ?? -1)) ?? null;
  const request = ready?.rates.request;
  return {
    name: { provider: textOf(provider), model: textOf(model) },
    costStatus: costStatusOf(Number(costStatus)),
    price: ready,
    rates: TOKEN_BUCKETS.map(([bucket]) => ready?.rates[bucket]),
    fee: request === undefined ? 0 : amountNano(request, 1),
    explained: -1,
    others: -1,
  };
}

/** The number of the party at a place; each code is looked up once. */
function partiesOf(rows: PartyRows, { codes, valueAt }: Codes): (place: number) => number {
  const numbers = new Map<number, number>();
  return (place) => {
    const code = codes[place] as number;
    let number = numbers.get(code);
    if (number === undefined) {
      number = rows.party(textOf(valueAt(code)));
      numbers.set(code, number);
    }
    return number;
  };
}

/** Adds a call to the sums of its party. Returns false if it must be explained by itself. */
function adderOf(rows: PartyRows, chunk: Chunk): (group: Group, party: number, place: number) => boolean {
  const columns = TOKEN_BUCKETS.map(([, column]) => chunk.numbers(column));
  const costs = chunk.numbers('cost_nano');
  const statuses = chunk.bytes('status');
  const amounts = new Float64Array(TOKEN_BUCKETS.length);

  return (group, party, place) => {
    const { price, costStatus, rates, fee } = group;
    const cost = costs[place] as number;
    let tokens = 0;
    let sum = 0;
    for (let i = 0; i < amounts.length; i++) {
      const own = (columns[i] as Float64Array)[place] as number;
      const rate = rates[i];
      tokens += own;
      amounts[i] = own > 0 && rate !== undefined ? amountNano(rate, own) : 0;
      sum += amounts[i] as number;
    }
    const pays = fee > 0 && (tokens > 0 || ANSWERED[statuses[place] as number] === true);
    if (pays) sum += fee;
    const isPlain = price !== null && costStatus !== 'client' && sum === cost;
    if (!isPlain && price !== null && isPriced(costStatus)) return false;
    const row = rows.rowOf(party, accountOf(rows, group, isPlain));
    const sums = rows.sums();
    (sums[row] as number)++;
    sums[row + 1] = (sums[row + 1] as number) + tokens;
    if (!Number.isNaN(cost)) sums[row + 2] = (sums[row + 2] as number) + cost;
    if (!isPlain) return true;
    for (let i = 0; i < amounts.length; i++) {
      const at = row + (BUCKET_PLACES[i] as number);
      sums[at] = (sums[at] as number) + ((columns[i] as Float64Array)[place] as number);
      sums[at + 1] = (sums[at + 1] as number) + (amounts[i] as number);
    }
    if (pays) {
      (sums[row + FEE_PLACE] as number)++;
      sums[row + FEE_PLACE + 1] = (sums[row + FEE_PLACE + 1] as number) + fee;
    }
    return true;
  };
}

function accountOf(rows: PartyRows, group: Group, isPlain: boolean): number {
  const { name, costStatus, price } = group;
  if (isPlain) {
    if (group.explained < 0)
      group.explained = rows.account({ ...name, kind: costStatus ?? 'unexplained', price });
    return group.explained;
  }
  const kind = isPriced(costStatus) ? 'unexplained' : (costStatus ?? 'unexplained');
  if (group.others < 0) group.others = rows.account({ ...name, kind, price: null });
  return group.others;
}

/** Adds a call whose lines are computed from its usage. */
function addExplained(
  rows: PartyRows,
  chunk: Chunk,
  place: number,
  { group, party }: { readonly group: Group; readonly party: number },
): void {
  const { name, price, costStatus } = group;
  if (price === null) return;
  const buckets = bucketsAt(chunk, place);
  const status = EVENT_STATUSES[chunk.bytes('status')[place] as number];
  const cost = chunk.numbers('cost_nano')[place] as number;
  const lines = linesOfCall(price, buckets, chunk.detail(place), status);
  const isExplained = sumOf(lines) === cost;
  const account = rows.account({
    ...name,
    kind: isExplained ? (costStatus ?? 'priced') : 'unexplained',
    price: isExplained ? price : null,
  });
  const row = rows.rowOf(party, account);
  const sums = rows.sums();
  const add = (at: number, value: number): void => {
    sums[row + at] = (sums[row + at] as number) + value;
  };
  add(0, 1);
  add(
    1,
    TOKEN_BUCKETS.reduce((sum, [bucket]) => sum + buckets[bucket], 0),
  );
  add(2, Number.isNaN(cost) ? 0 : cost);
  if (!isExplained) return;
  for (const { bucket, tokens, amount_nano } of lines) {
    add(placeOfBucket(bucket), tokens);
    add(placeOfBucket(bucket) + 1, amount_nano);
  }
}
