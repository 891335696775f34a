import { Skeleton } from '@mantine/core';
import { type JSX, lazy, Suspense } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { lookAt } from '../../../dashboard/ui/charts/colours.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { countText, numberText } from '../../../lib/figures.ts';
import type { AlertDraft } from '../contract.ts';
import { leftOutText, valueText } from '../notify/texts.ts';
import type { AlertPreview } from '../preview/contract.ts';
import css from './preview-chart.module.css';
import { firingSpans, thresholdsOf, toPoints } from './preview-points.ts';
import { STATES } from './state-badge.tsx';

const Plot = lazy(async () => ({ default: (await import('./preview-plot.tsx')).PreviewPlot }));

/** Times that are listed below the chart, for whoever cannot see it. */
const LISTED = 8;

type Props = { readonly rule: AlertDraft; readonly preview: AlertPreview; readonly days: number };

/** What a rule would have done: in a sentence, as a chart, and its newest times as a list. */
export function PreviewChart({ rule, preview, days }: Props): JSX.Element {
  const zone = useZone();
  const names = preview.series.map(({ group }) => (group === null ? 'Value' : group === '' ? 'none' : group));
  return (
    <div className="stack">
      <p>
        <strong>{summaryOf(preview, days)}</strong> <span className="dim">{preview.note}</span>
      </p>
      <LeftOut rule={rule} preview={preview} />
      <figure aria-label={`The last ${days} days`} className={css.plot}>
        <Suspense fallback={<Skeleton height={240} />}>
          <Plot
            points={toPoints(preview)}
            names={names}
            spans={firingSpans(preview)}
            thresholds={thresholdsOf(rule)}
            measure={rule.measure}
            zone={zone}
          />
        </Suspense>
      </figure>
      {names.length > 1 && (
        <ul className={css.legend} aria-label="Groups">
          {names.map((name, place) => (
            <li key={name}>
              <i style={{ background: lookAt(place).color }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <ul className="ruled" aria-label="When it would have fired">
        {preview.spans
          .filter(({ state }) => state === 'warning' || state === 'critical')
          .toReversed()
          .slice(0, LISTED)
          .map(({ group, state, from, to, ...valued }) => (
            <li key={`${from} ${group} ${state}`}>
              <span className={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>{' '}
              {timeText.minute(from, zone)} – {to === null ? 'now' : timeText.minute(to, zone)}{' '}
              <span className="dim">
                {group === null ? '' : group === '' ? 'none, ' : `${group}, `}
                began at {valueText(rule.measure, valued) ?? 'no value'}
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** A cost that leaves out calls may be larger, and the rule might have fired more often. */
function LeftOut({ rule, preview }: Pick<Props, 'rule' | 'preview'>): JSX.Element | null {
  const text = leftOutText(rule.measure, preview);
  if (text === null) return null;
  return (
    <p>
      <span className="badge warn">{text}</span> The rule judges the priced calls only.{' '}
      <ProjectLink page="prices">Set prices</ProjectLink>
    </p>
  );
}

function summaryOf({ firings, notifications, groups, series }: AlertPreview, days: number): string {
  if (series.every(({ points }) => points.every((point) => point === null)))
    return `In the last ${days} days there was nothing to judge by this rule.`;
  const of = groups > 1 ? `, over ${numberText(groups)} groups` : '';
  if (firings === 0) return `It would not have fired in the last ${days} days${of}.`;
  return `It would have fired ${countText(firings, 'time')} in the last ${days} days${of}, with ${countText(notifications, 'notification')}.`;
}
