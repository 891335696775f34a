import { Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import type { MetricsDocument } from '../../../core/events/query/contract.ts';
import { EventChart } from '../../../core/events/widgets/event-chart.tsx';
import { byGroup } from '../../../dashboard/shell/metrics/by-group.ts';
import { groupName } from '../../../dashboard/shell/metrics/dimension-names.ts';
import { measureLabel, measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { toChart } from '../../../dashboard/shell/metrics/to-chart.ts';
import { useDocument } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { useValueNames } from '../../../dashboard/shell/metrics/use-value-names.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Failure } from '../../../dashboard/ui/states.tsx';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { AskReply } from '../ask/contract.ts';

const HEIGHT = 260;
/** Measures that add up, so that their groups can be stacked. */
const STACKED = new Set(['money', 'count']);

/** The chart that fits an answer: figures, lines or stacked bars over time, as dashboards draw them. */
export function AnswerChart({ figures }: { figures: AskReply }): JSX.Element | null {
  if (figures.query === null || figures.chart === null) return null;
  return figures.chart === 'number' ? <Numbers figures={figures} /> : <OverTime figures={figures} />;
}

function Numbers({ figures: { rows, measures } }: { figures: AskReply }): JSX.Element {
  const total = rows.find(({ kind }) => kind === 'total');
  return (
    <Kpis
      kpis={measures.map(({ name, label }) => {
        const value = total?.values[name] ?? null;
        const previous = total?.before?.[name];
        const { kind, rising = 'neutral' } = measureOf(name);
        return {
          id: name,
          label,
          kind,
          value: value ?? 0,
          missing: value === null,
          mark: markOf(name, value, total?.unpriced),
          rising,
          ...(typeof previous === 'number' && previous !== 0 && { previous }),
        };
      })}
    />
  );
}

function OverTime({ figures }: { figures: AskReply }): JSX.Element {
  const projectId = useProjectId();
  const { query, measures, answer } = figures;
  const { data, error } = useDocument(projectId, { bucket: 'auto', ...query } as MetricsDocument);
  const nameOf = useValueNames(projectId, (query?.groupBy ?? []) as MetricsDocument['groupBy'] & object);
  if (error !== null && data === undefined) return <Failure error={error} />;
  if (data === undefined) return <Skeleton height={HEIGHT} />;
  const isStacked = STACKED.has(measureOf(measures[0]?.name ?? 'requests').kind);
  const shape = isStacked ? 'bars' : 'lines';
  return (
    <div className="chart-area one-line-legend">
      <EventChart
        {...toChart(data, {
          shape,
          labelOf: measureLabel,
          nameOf: (key) => groupName(key, nameOf),
          ...(data.groupBy.length > 0 && { drawer: byGroup }),
        })}
        shape={shape}
        height={HEIGHT}
        label={answer ?? 'Answer'}
        drill={({ time, end }) => ({
          range: undefined,
          start: time,
          ...(typeof end === 'string' && { end: formatInstant(Date.parse(end) - 1) }),
          ...(query?.filter !== undefined && { filter: query.filter }),
        })}
      />
    </div>
  );
}
