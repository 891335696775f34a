import type { Mail, MailTable } from '../../../core/mail/index.ts';
import { plainValue, quoteName } from '../../../core/mail/index.ts';
import { moneyText, percentText } from '../../../lib/figures.ts';
import {
  costBeforeText,
  costChangeText,
  costText,
  dimensionLabel,
  incompleteTexts,
  keyFigures,
  periodText,
  valueLabel,
} from '../../../lib/reports/labels.ts';
import type { ReportFigures } from '../figures/contract.ts';

type About = {
  readonly name: string;
  readonly organization: string;
  /** Public address of the server, without a trailing slash. */
  readonly origin: string;
};

/** `Costs of "Search", 16 – 22 Nov 2026: $12.30 (+12%)`. */
export function subjectOf(figures: ReportFigures): string {
  const change = costChangeText(figures);
  const costs = `${costText(figures.cost, figures.unpriced)}${change === '' ? '' : ` (${change})`}`;
  return `Costs of ${quoteName(figures.subject)}, ${periodText(figures)}: ${costs}`;
}

/** A report as a mail, without its recipient. */
export function toReportMail(
  figures: ReportFigures,
  { name, organization, origin }: About,
): Omit<Mail, 'to'> {
  const { timeZone, environment, path } = figures;
  const only = environment === null ? '' : `, environment ${quoteName(environment)}`;
  return {
    subject: subjectOf(figures),
    paragraphs: [
      `Costs of ${quoteName(figures.subject)}${only}: ${periodText(figures)} (${timeZone}), compared with ${periodText({ ...figures.previous, timeZone })}.`,
      `You get this mail because the report ${quoteName(name)} of the organization ${quoteName(organization)} names you. Unsubscribe on the page of your account: ${origin}/account`,
    ],
    tables: tablesOf(figures, origin),
    ...(path !== null && { action: { label: 'Open these costs', url: `${origin}${path}` } }),
  };
}

function tablesOf(figures: ReportFigures, origin: string): MailTable[] {
  const row = (path: string | null, ...cells: string[]): MailTable['rows'][number] => ({
    cells,
    ...(path !== null && { url: `${origin}${path}` }),
  });
  const tables: MailTable[] = [
    {
      title: 'Figures',
      columns: ['', 'This period', 'Before', 'Change'],
      rows: keyFigures(figures).map(({ label, current, previous, change }) =>
        row(null, label, current, previous, change),
      ),
    },
    ...figures.sections.map(({ by, groups, others }) => ({
      title: `By ${dimensionLabel(by).toLowerCase()}`,
      columns: [dimensionLabel(by), 'Cost', 'Before', 'Change', 'Calls'],
      rows: [
        ...groups.map(({ value, calls, path, ...costs }) =>
          row(
            path,
            plainValue(valueLabel(by, value)),
            costText(costs.cost, costs.unpriced),
            costBeforeText(costs),
            costChangeText(costs),
            calls.toLocaleString('en-US'),
          ),
        ),
        ...(others === null
          ? []
          : [
              row(
                null,
                `${others.groups} more`,
                costText(others.cost, others.unpriced),
                costBeforeText(others),
                costChangeText(others),
                '',
              ),
            ]),
      ],
    })),
    {
      title: 'Biggest changes',
      columns: ['', 'Cost', 'Before', 'Change'],
      rows: figures.changes.map(({ by, value, path, ...costs }) =>
        row(
          path,
          plainValue(`${dimensionLabel(by)}: ${valueLabel(by, value)}`),
          costs.cost.current === null && costs.unpriced === 0 ? '–' : costText(costs.cost, costs.unpriced),
          costBeforeText(costs),
          costChangeText(costs),
        ),
      ),
    },
    {
      title: 'Models without a price (their calls are in no cost)',
      columns: ['Model', 'Calls', 'Tokens'],
      rows: figures.unpricedModels.map(({ model, provider, calls, tokens, path }) =>
        row(
          path,
          plainValue([provider, model ?? 'without model'].filter((part) => part !== null).join(' / ')),
          calls.toLocaleString('en-US'),
          tokens.toLocaleString('en-US'),
        ),
      ),
    },
    {
      title: 'Budgets near their end',
      columns: ['Budget', 'Used', 'Spent', 'Limit'],
      rows: figures.budgets.map(({ name, fraction, spentUsd, limitUsd }) =>
        row(null, plainValue(name), percentText(fraction), moneyText(spentUsd), moneyText(limitUsd)),
      ),
    },
  ];
  const incomplete: MailTable = {
    title: 'What these figures lack',
    columns: ['', ''],
    rows: incompleteTexts(figures).map((text) => row(null, text, '')),
  };
  return [...tables, incomplete].filter(({ rows }) => rows.length > 0);
}
