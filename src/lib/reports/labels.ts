import { changeOf, countText, moneyText, percentText, pointsOf } from '../figures.ts';

/** Texts of reports of costs, which mails, the page and the terminal share. */

type Amount = { readonly current: number | null; readonly previous: number | null };
type Period = { readonly start: string; readonly end: string; readonly timeZone: string };
/** A cost, and the calls that it leaves out in each period. A report that an older version made lacks those before. */
type Cost = {
  readonly cost: Amount;
  readonly unpriced: number;
  readonly unpricedBefore?: number | undefined;
};
type Totals = Cost & Readonly<Record<'calls' | 'tokens' | 'errorRate', Amount>>;

const LABELS: Readonly<Record<string, string>> = {
  project: 'Project',
  model: 'Model',
  provider: 'Provider',
  userId: 'User',
  environment: 'Environment',
  agent: 'Agent',
  release: 'Release',
};

/** A dimension for people: `User`, `Tag feature`. */
export const dimensionLabel = (by: string): string =>
  by.startsWith('tag:') ? `Tag ${by.slice('tag:'.length)}` : (LABELS[by] ?? by);

/** A value of a dimension for people. */
export const valueLabel = (by: string, value: string | null): string =>
  value ?? (by.startsWith('tag:') ? 'without the tag' : `without ${dimensionLabel(by).toLowerCase()}`);

/** `16 – 22 Nov 2026` in the report's zone; one day alone. */
export function periodText({ start, end, timeZone }: Period): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return format.formatRange(Date.parse(start), Date.parse(end));
}

/** US dollars, of which calls without a price are no part: then it is a minimum. Or that no call has a price. */
export const costText = ({ current }: Pick<Amount, 'current'>, unpriced: number): string =>
  current === null ? 'no price' : `${unpriced > 0 ? '≥ ' : ''}${moneyText(current)}`;

/** The cost of the previous period, as `costText`; a dash without calls. */
export const costBeforeText = ({ cost: { previous }, unpricedBefore = 0 }: Cost): string =>
  previous === null && unpricedBefore === 0 ? '–' : costText({ current: previous }, unpricedBefore);

/** Change of a cost, as `changeText`; empty where a period has calls but none with a price. */
export function costChangeText({ cost, unpriced, unpricedBefore = 0 }: Cost): string {
  const isUnknown = (cost.current === null && unpriced > 0) || (cost.previous === null && unpricedBefore > 0);
  return isUnknown ? '' : changeText(cost);
}

/** Change of an amount against the previous period: `+12%`, `new`, `ended`; empty without either. */
function changeText({ current, previous }: Amount): string {
  if (current === null && previous === null) return '';
  if (!previous) return current ? 'new' : '';
  if (!current) return 'ended';
  return changeOf(current, previous)?.text ?? '';
}

/** Key figures as rows: what, how much, the previous value and the change. */
export function keyFigures(totals: Totals): readonly {
  readonly label: string;
  readonly current: string;
  readonly previous: string;
  readonly change: string;
}[] {
  const { cost, calls, tokens, errorRate, unpriced } = totals;
  const count = new Intl.NumberFormat('en-US');
  const row = (label: string, { current, previous }: Amount, text: (value: number) => string) => ({
    label,
    current: current === null ? '–' : text(current),
    previous: previous === null ? '–' : text(previous),
    change: changeText({ current, previous }),
  });
  const failed = row('Failed calls', errorRate, percentText);
  const { current, previous } = errorRate;
  const points = current === null || previous === null ? '' : pointsOf(current, previous).text;
  return [
    {
      label: 'Cost',
      current: calls.current === 0 ? '–' : costText(cost, unpriced),
      previous: calls.previous === 0 ? '–' : costBeforeText(totals),
      change: costChangeText(totals),
    },
    row('Calls', calls, (value) => count.format(value)),
    row('Tokens', tokens, (value) => count.format(value)),
    { ...failed, change: points },
  ];
}

type Incomplete = Pick<Period, 'timeZone'> & {
  readonly sections: readonly { readonly by: string; readonly deletedBefore?: string | undefined }[];
  readonly countedWhole?: readonly { readonly start: string; readonly end: string }[] | undefined;
  readonly missing: number;
};

/** Why figures of a report are not those of all its calls, or of more: what retention or damage took. */
export function incompleteTexts({ timeZone, sections, countedWhole, missing }: Incomplete): string[] {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const lacking = sections.filter(({ deletedBefore }) => deletedBefore !== undefined);
  const names = lacking.map(({ by }) => dimensionLabel(by).toLowerCase());
  const before = Math.max(...lacking.map(({ deletedBefore = '' }) => Date.parse(deletedBefore)));
  const spans = (countedWhole ?? []).map(({ start, end }) =>
    time.formatRange(Date.parse(start), Date.parse(end) + 1),
  );
  return [
    ...(lacking.length === 0
      ? []
      : [
          `Figures by ${names.join(' and ')} leave out calls before ${time.format(before)}, which have been deleted (retention)`,
        ]),
    ...(spans.length === 0
      ? []
      : [
          `Only sums are left of ${spans.join(' and ')}: all of that time counts, although it lies only partly in the period`,
        ]),
    ...(missing === 0
      ? []
      : [`${countText(missing, 'event')} ${missing === 1 ? 'is' : 'are'} damaged and in no figure`]),
  ];
}
