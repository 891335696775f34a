import { Skeleton } from '@mantine/core';
import type { ComponentProps, JSX, ReactNode } from 'react';
import type { Card } from '../../../dashboard/shell/metrics/card.ts';
import type { MetricsQuestion } from '../../../dashboard/shell/metrics/metrics-question.ts';
import { type Look, type MetricsChart, toChart } from '../../../dashboard/shell/metrics/to-chart.ts';
import { isCompared, useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { Failure } from '../../../dashboard/ui/states.tsx';
import type { MetricsReply } from '../query/contract.ts';
import { EventChart } from './event-chart.tsx';

type Props = Look &
  Pick<ComponentProps<typeof EventChart>, 'alert' | 'drill' | 'height' | 'label'> & {
    readonly scope: Scope;
    readonly question: MetricsQuestion;
    /** The chart's name on a dashboard, and how it differs there from the question. */
    readonly card?: (Partial<Card> & Pick<Card, 'title'>) | undefined;
    /** Adds to what is drawn, such as a forecast. */
    readonly extend?: (chart: MetricsChart, reply: MetricsReply) => MetricsChart;
    /** Shown instead where the figures cannot be read. */
    readonly instead?: (() => JSX.Element) | undefined;
    readonly children?: ReactNode;
  };

/**
 * Figures over time by a question to `POST /v1/metrics/query`, in the person's days, with the previous period if the
 * address asks for it. What it shows can go to a dashboard.
 */
export function MetricChart(props: Props): JSX.Element {
  const { scope, question, card, extend = (chart) => chart, instead, children, ...rest } = props;
  const compared = isCompared(scope);
  const asked = { bucket: 'auto' as const, ...question };
  const { data, error } = useMetrics(scope, asked, { compared });
  if (error !== null && data === undefined)
    return (
      instead?.() ?? (
        <>
          {children}
          <Failure error={error} />
        </>
      )
    );
  // While another question is read, the reply to the one before is still there.
  if (data === undefined || !answers(data, question))
    return (
      <>
        {children}
        <Skeleton height={(rest.height ?? 240) + 24} />
      </>
    );
  return (
    <EventChart
      {...rest}
      {...extend(toChart(data, rest), data)}
      comparable
      card={card && toCard(question, rest.shape, card)}
    >
      {children}
    </EventChart>
  );
}

const answers = ({ measures, groupBy }: MetricsReply, question: MetricsQuestion): boolean =>
  measures.map(({ name }) => name).join() === question.measures.join() &&
  groupBy.join() === (question.groupBy ?? []).join();

const toCard = (
  { measures, groupBy = [], filter = '' }: MetricsQuestion,
  shape: Look['shape'],
  card: NonNullable<Props['card']>,
): Card => ({
  kind: shape === 'bars' ? 'bars' : 'line',
  measures: [...measures],
  groupBy: [...groupBy],
  filter,
  ...card,
});
