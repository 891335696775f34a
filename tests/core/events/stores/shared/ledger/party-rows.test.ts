import { expect, test } from 'bun:test';
import { OTHER_TAGS } from '../../../../../../src/core/events/stores/shared/ledger/accounts.ts';
import {
  createPartyRows,
  MAX_TAG_PARTIES,
} from '../../../../../../src/core/events/stores/shared/ledger/party-rows.ts';

const BEYOND = 5;

function partiesOf(by: 'tags' | 'tag:customer'): readonly (string | null)[] {
  const rows = createPartyRows(by);
  for (let i = 0; i < MAX_TAG_PARTIES + BEYOND; i++) rows.party(`{"customer":${i}}`);
  rows.party(null);
  expect(rows.party('{"customer":7}')).toBe(7);
  return rows.toDay().parties;
}

test('combinations of tags beyond the limit of a day are one', () => {
  const parties = partiesOf('tags');
  expect(parties.slice(MAX_TAG_PARTIES)).toEqual([OTHER_TAGS, null]);
});

test('parties by one tag are all told apart', () => {
  expect(new Set(partiesOf('tag:customer')).size).toBe(MAX_TAG_PARTIES + BEYOND + 1);
});
