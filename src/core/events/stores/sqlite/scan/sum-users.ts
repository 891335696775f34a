import type { SqlValue } from '../../../../../db/connection.ts';
import { FLAG } from '../columns.ts';
import { groupEvents } from '../sums/group-events.ts';
import { U, USER_COLUMNS } from '../users/user-page.ts';
import { adderOf, createSums, S, type SumArray } from './call-sums.ts';
import { type Codes, codesOfText, keyAt } from './codes.ts';
import type { Selected } from './select-events.ts';

/** A user's sums in the order of `USER_COLUMNS`; times in epoch milliseconds. */
export type SummedUser = {
  readonly userId: string;
  /** The values of the further keys. */
  readonly key: readonly SqlValue[];
  readonly sums: number[];
};

/**
 * Sums selected events by user and some further keys: all events, and what calls add up to. Events without a user are
 * removed from the mask.
 */
export function sumUsers({ columns, mask }: Selected, keys: readonly Codes[] = []): SummedUser[] {
  const users = codesOfText(columns, 'user_id');
  for (let place = 0; place < mask.length; place++) if (users.codes[place] === 0) mask[place] = 0;
  const codes = [users, ...keys].map((key) => key.codes);
  const { of, firsts } = groupEvents(columns.events, codes, mask);
  const ts = columns.numbers('ts');
  const flags = columns.bytes('flags');
  const add = adderOf(columns, CALL_SUMS);
  const calls = firsts.map(createSums);
  const sums = calls.map(() => [...NOTHING]);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const group = of[place] as number;
    const own = sums[group] as number[];
    const time = ts[place] as number;
    own[U.events] = (own[U.events] as number) + 1;
    if (time < (own[U.first] as number)) own[U.first] = time;
    if (time > (own[U.last] as number)) own[U.last] = time;
    if (((flags[place] as number) & FLAG.call) !== 0) add(calls[group] as SumArray, place);
  }
  return sums.map((own, group) => {
    for (const name of CALL_SUMS) own[U[name]] = (calls[group] as SumArray)[S[name]] as number;
    const place = firsts[group] as number;
    return {
      userId: String(users.valueAt(users.codes[place] as number)),
      key: keyAt(keys, place),
      sums: own,
    };
  });
}

const NOTHING = USER_COLUMNS.map((name) =>
  name === 'first' ? Number.POSITIVE_INFINITY : name === 'last' ? Number.NEGATIVE_INFINITY : 0,
);

const CALL_SUMS = USER_COLUMNS.filter((name) => name !== 'events' && name !== 'first' && name !== 'last');
