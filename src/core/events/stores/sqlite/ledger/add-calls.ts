import {
  type Account,
  type Accounts,
  accountOf,
  addToBucket,
  type Ready,
} from '../../shared/ledger/accounts.ts';
import type { Chunk } from '../scan/chunk.ts';
import { codesOf, codesOfNumber, codesOfTags, constantCodes, keyAt } from '../scan/codes.ts';
import { groupEvents } from '../sums/group-events.ts';
import {
  type CallGroup,
  callExplainer,
  callGroup,
  type ExplainedCall,
  linesAt,
  TOKEN_BUCKETS,
} from './explain-calls.ts';

/** Sums of the calls of a group that are counted in one account. */
type Sums = {
  calls: number;
  nano: number;
  fees: number;
  readonly tokens: Float64Array;
  readonly amounts: Float64Array;
};

const noCalls = (): Sums => ({
  calls: 0,
  nano: 0,
  fees: 0,
  tokens: new Float64Array(TOKEN_BUCKETS.length),
  amounts: new Float64Array(TOKEN_BUCKETS.length),
});

type Group = {
  readonly of: CallGroup;
  readonly tags: string | null;
  readonly explained: Sums;
  readonly others: Sums;
};

/**
 * Adds the selected calls of a chunk to the accounts. Calls that have searches or audio are explained one by one.
 * @param mask 1 for each selected call
 */
export function addCalls(
  accounts: Accounts,
  chunk: Chunk,
  mask: Uint8Array,
  of: { readonly prices: ReadonlyMap<number, Ready>; readonly byTags: boolean },
): void {
  const costStatuses = { codes: chunk.bytes('cost_status'), valueAt: (code: number) => code };
  const keys = [
    codesOf(chunk, 'provider'),
    codesOf(chunk, 'model'),
    costStatuses,
    codesOfNumber(chunk, 'price'),
    of.byTags ? codesOfTags(chunk) : constantCodes(chunk, 0),
  ];
  const columns = keys.map(({ codes }) => codes);
  const { of: groupOf, firsts } = groupEvents(chunk.events, columns, mask);
  const groups = firsts.map((place): Group => {
    const key = keyAt(keys, place);
    const tags = typeof key[4] === 'string' ? key[4] : null;
    return { of: callGroup(key, of.prices), tags, explained: noCalls(), others: noCalls() };
  });
  const explain = callExplainer(chunk);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const group = groups[groupOf[place] as number] as Group;
    const call = explain(group.of, place);
    if (call === null) addByLines(accounts, chunk, place, group);
    else addCall(call.isExplained ? group.explained : group.others, call);
  }
  for (const group of groups) {
    addSums(accounts, group, group.explained, group.of.explained);
    addSums(accounts, group, group.others, group.of.others);
  }
}

function addCall(sums: Sums, { nano, paysFee, own, amounts }: ExplainedCall): void {
  sums.calls++;
  sums.nano += nano;
  if (paysFee) sums.fees++;
  for (let i = 0; i < own.length; i++) {
    sums.tokens[i] = (sums.tokens[i] as number) + (own[i] as number);
    sums.amounts[i] = (sums.amounts[i] as number) + (amounts[i] as number);
  }
}

function addSums(
  accounts: Accounts,
  { of: { name, fee }, tags }: Group,
  { calls, nano, fees, tokens, amounts }: Sums,
  { kind, price }: Pick<Account, 'kind' | 'price'>,
): void {
  if (calls === 0) return;
  const account = accountOf(accounts, { ...name, kind, tags, price });
  account.calls += calls;
  account.nano += nano;
  for (const [i, [bucket]] of TOKEN_BUCKETS.entries()) {
    account.tokens += tokens[i] ?? 0;
    if (price !== null) addToBucket(account, bucket, tokens[i] ?? 0, amounts[i] ?? 0);
  }
  if (price !== null) addToBucket(account, 'request', fees, fees * fee);
}

/** Adds a call whose lines are computed from its usage. */
function addByLines(accounts: Accounts, chunk: Chunk, place: number, { of, tags }: Group): void {
  if (of.price === null) return;
  const { lines, isExplained, all, nano } = linesAt(chunk, place, of.price);
  const account = accountOf(accounts, { ...of.name, tags, ...(isExplained ? of.explained : of.others) });
  account.calls++;
  account.nano += nano;
  account.tokens += all;
  if (isExplained) for (const line of lines) addToBucket(account, line.bucket, line.tokens, line.amount_nano);
}
