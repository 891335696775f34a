import type { Notification } from '../../../core/deliveries/index.ts';
import { countText, moneyText, numberText, percentText } from '../../../lib/figures.ts';
import {
  costBeforeText,
  costChangeText,
  costText,
  dimensionLabel,
  incompleteTexts,
  periodText,
  valueLabel,
} from '../../../lib/reports/labels.ts';
import type { ReportFigures } from '../figures/contract.ts';

/** Groups of a section that chat channels show. */
const MOST = 3;

type Sent = {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly reportId: string;
  readonly name: string;
  readonly messageId: string;
  readonly channelIds: readonly string[];
  readonly figures: ReportFigures;
};

/**
 * A report for channels. End users are not in it, because other services keep what they got and an erasure does not
 * reach them.
 */
export function toNotification({ figures: all, name, reportId, ...sent }: Sent): Notification {
  const isShown = ({ by }: { readonly by: string }): boolean => by !== 'userId';
  const figures = {
    ...all,
    sections: all.sections.filter(isShown),
    changes: all.changes.filter(isShown),
  };
  const { cost, calls, unpriced, path, previous, timeZone } = figures;
  const change = costChangeText(figures);
  const before = costBeforeText(figures);
  return {
    ...sent,
    type: 'report.ready',
    data: { report: { id: reportId, name }, ...figures },
    message: {
      title: `Costs of ${figures.subject}, ${periodText(figures)}: ${costText(cost, unpriced)}${change === '' ? '' : ` (${change})`}`,
      text: `${numberText(calls.current ?? 0)} calls, after ${before === '–' ? 'no costs' : before} in ${periodText({ ...previous, timeZone })}.`,
      facts: factsOf(figures),
      severity: 'info',
      subject: `report ${reportId} ${figures.start}`,
      ...(path !== null && { link: { label: 'Open these costs', path } }),
    },
  };
}

function factsOf(figures: ReportFigures): Notification['message']['facts'] {
  const { sections, unpricedModels, budgets } = figures;
  return [
    ...sections.flatMap(({ by, groups }) =>
      groups.slice(0, MOST).map(({ value, ...costs }) => {
        const change = costChangeText(costs);
        return {
          label: `${dimensionLabel(by)}: ${valueLabel(by, value)}`,
          value: `${costText(costs.cost, costs.unpriced)}${change === '' ? '' : ` (${change})`}`,
        };
      }),
    ),
    ...budgets.slice(0, MOST).map(({ name, fraction, limitUsd }) => ({
      label: `Budget ${name}`,
      value: `${percentText(fraction)} of ${moneyText(limitUsd)}`,
    })),
    ...incompleteTexts(figures).map((value) => ({ label: 'Not complete', value })),
    ...unpricedModels.slice(0, 1).map(({ model, calls }) => ({
      label: 'Without a price',
      value: `${model ?? 'calls without a model'}: ${countText(calls, 'call')}`,
    })),
  ];
}
