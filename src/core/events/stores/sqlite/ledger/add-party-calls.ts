import type { Ready } from '../../shared/ledger/accounts.ts';
import { type PartyRows, placeOfBucket } from '../../shared/ledger/party-rows.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Codes, codesOf, codesOfNumber, keyAt } from '../scan/codes.ts';
import { groupEvents } from '../sums/group-events.ts';
import {
  type CallGroup,
  callExplainer,
  callGroup,
  type ExplainedCall,
  linesAt,
  TOKEN_BUCKETS,
  textOf,
} from './explain-calls.ts';

const BUCKET_PLACES = TOKEN_BUCKETS.map(([bucket]) => placeOfBucket(bucket));
const FEE_PLACE = placeOfBucket('request');

/** A group with the numbers of its two accounts, -1 until they are needed. */
type Group = { readonly of: CallGroup; explained: number; others: number };

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
  const columns = keys.map(({ codes }) => codes);
  const { of: groupOf, firsts } = groupEvents(chunk.events, columns, mask);
  const groups = firsts.map(
    (place): Group => ({ of: callGroup(keyAt(keys, place), how.prices), explained: -1, others: -1 }),
  );
  const partyAt = partiesOf(rows, how.parties);
  const explain = callExplainer(chunk);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const group = groups[groupOf[place] as number] as Group;
    const party = partyAt(place);
    const call = explain(group.of, place);
    if (call === null) addByLines(rows, chunk, place, { group, party });
    else addCall(rows, rows.rowOf(party, accountOf(rows, group, call.isExplained)), call, group.of.fee);
  }
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

function accountOf(rows: PartyRows, group: Group, isExplained: boolean): number {
  const which = isExplained ? 'explained' : 'others';
  if (group[which] < 0) group[which] = rows.account({ ...group.of.name, ...group.of[which] });
  return group[which];
}

function addCall(
  rows: PartyRows,
  row: number,
  { isExplained, all, nano, paysFee, own, amounts }: ExplainedCall,
  fee: number,
): void {
  const sums = rows.sums();
  (sums[row] as number)++;
  sums[row + 1] = (sums[row + 1] as number) + all;
  sums[row + 2] = (sums[row + 2] as number) + nano;
  if (!isExplained) return;
  for (let i = 0; i < own.length; i++) {
    const at = row + (BUCKET_PLACES[i] as number);
    sums[at] = (sums[at] as number) + (own[i] as number);
    sums[at + 1] = (sums[at + 1] as number) + (amounts[i] as number);
  }
  if (!paysFee) return;
  (sums[row + FEE_PLACE] as number)++;
  sums[row + FEE_PLACE + 1] = (sums[row + FEE_PLACE + 1] as number) + fee;
}

/** Adds a call whose lines are computed from its usage. */
function addByLines(
  rows: PartyRows,
  chunk: Chunk,
  place: number,
  { group, party }: { readonly group: Group; readonly party: number },
): void {
  const { price } = group.of;
  if (price === null) return;
  const { lines, isExplained, all, nano } = linesAt(chunk, place, price);
  const row = rows.rowOf(party, accountOf(rows, group, isExplained));
  const sums = rows.sums();
  const add = (at: number, value: number): void => {
    sums[row + at] = (sums[row + at] as number) + value;
  };
  add(0, 1);
  add(1, all);
  add(2, nano);
  if (!isExplained) return;
  for (const { bucket, tokens, amount_nano } of lines) {
    add(placeOfBucket(bucket), tokens);
    add(placeOfBucket(bucket) + 1, amount_nano);
  }
}
