import { type RepricingRow, repricingSchema } from '../../src/features/repricing/contract.ts';
import { money, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';

/** Reply of the re-pricing actions. */
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

/** Rows shown in a terminal; --json has all. */
const MOST_LINES = 40;

/** Calls that have no price afterwards either, as far as the re-pricing looked at them. */
const leftUnpriced = ({ request, looked, changes, groups = [] }: RepricingRow): number =>
  (request.unpricedOnly ? looked - changes : 0) +
  groups.reduce((sum, { unpricedAfter }) => sum + unpricedAfter, 0);

/** Prints a re-pricing: its figures, then the changes by day and model. */
export const printRepricing = (output: Output, doc: RepricingRow): void => {
  const { groups = [] } = doc;
  output.line(tinted(doc.id, 'bold'), tinted(doc.state, doc.state === 'stopped' ? 'bad' : 'dim'));
  facts(output, [
    { label: 'Events', value: number(doc.changes), note: `of ${number(doc.looked).text} checked` },
    { label: 'Before', value: money(doc.before) },
    { label: 'After', value: money(doc.after), note: `${money(doc.after - doc.before).text} difference` },
    { label: 'Applied', value: number(doc.applied), note: `${Math.round(doc.progress * 100)}% done` },
  ]);
  if (doc.error !== null) output.warn(doc.error);
  if (doc.gone > 0)
    output.warn(`${doc.gone} events were deleted or damaged in the meantime; totals keep their new price`);
  if (doc.unreadable > 0)
    output.warn(
      `${number(doc.unreadable).text} events are damaged and keep their cost; run \`events check\``,
    );
  const left = leftUnpriced(doc);
  if (left > 0)
    output.warn(
      `${number(left).text} of these calls still have no price; \`report costs\` lists their models`,
    );
  if (groups.length === 0) return;
  section(output, 'By day and model', 'UTC, of the events that change');
  output.table(groupColumns, groups.slice(0, MOST_LINES));
  if (groups.length > MOST_LINES)
    output.line(tinted(`and ${groups.length - MOST_LINES} more lines, all with --json`, 'dim'));
};
