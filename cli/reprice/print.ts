import { type RepricingRow, repricingSchema } from '../../src/features/repricing/contract.ts';
import { money, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';

/** What the actions of a re-pricing answer with. */
export const repricingReply = repricingSchema;

type Group = NonNullable<RepricingRow['groups']>[number];

const groupColumns: readonly Column<Group>[] = [
  { header: 'day', value: ({ day }) => day, fixed: true },
  { header: 'model', value: ({ provider, model }) => `${provider ?? ''}/${model ?? ''}` },
  { header: 'events', value: ({ events }) => number(events) },
  {
    header: 'unpriced',
    value: ({ unpricedBefore, unpricedAfter }) => ({
      text: `${unpricedBefore} → ${unpricedAfter}`,
      align: 'right',
    }),
  },
  { header: 'before', value: ({ before }) => money(before) },
  { header: 'after', value: ({ after }) => money(after) },
  { header: 'difference', value: ({ before, after }) => money(after - before) },
];

/** Days and models that are shown; all of them are in --json. */
const MOST_LINES = 40;

/** A re-pricing for a person: its figures, then day by day. */
export const printRepricing = (output: Output, doc: RepricingRow): void => {
  const { groups = [] } = doc;
  output.line(tinted(doc.id, 'bold'), tinted(doc.state, doc.state === 'stopped' ? 'bad' : 'dim'));
  facts(output, [
    { label: 'Events', value: number(doc.changes), note: `of ${number(doc.looked).text} looked at` },
    { label: 'Before', value: money(doc.before) },
    { label: 'After', value: money(doc.after), note: `${money(doc.after - doc.before).text} of difference` },
    { label: 'Applied', value: number(doc.applied), note: `${Math.round(doc.progress * 100)}% done` },
  ]);
  if (doc.error !== null) output.warn(doc.error);
  if (doc.gone > 0) output.warn(`${doc.gone} events were deleted meanwhile; their sums keep the new price`);
  if (groups.length === 0) return;
  section(output, 'By day and model', 'UTC, of the events that change');
  output.table(groupColumns, groups.slice(0, MOST_LINES));
  if (groups.length > MOST_LINES)
    output.line(tinted(`and ${groups.length - MOST_LINES} lines more, all with --json`, 'dim'));
};
