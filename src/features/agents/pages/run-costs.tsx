import type { JSX } from 'react';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { type Kpi, Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { costMark } from '../../../lib/billing/cost-mark.ts';
import { numberText } from '../../../lib/figures.ts';
import { namesTerm } from './agents-api.ts';
import type { RunCost } from './columns.tsx';

const MEASURES = ['runCostP50', 'runCostP95', 'runLatencyAvg', 'runLatencyP95', 'runErrorRate'] as const;

/** How cost and latency are spread over the runs that an agent began, run by run. */
export function RunCosts({
  scope,
  names,
  agent,
}: {
  readonly scope: Scope;
  readonly names: readonly string[];
  readonly agent: RunCost;
}): JSX.Element {
  const runs = useMetrics(scope, { measures: [...MEASURES], filter: namesTerm(names) });
  return (
    <Panel title="Runs" detail="by what each run cost and took" flush>
      <Loaded of={runs} loading={<LoadingRows rows={1} />}>
        {({ total, deletedBefore }) => (
          <>
            <Kpis kpis={MEASURES.map((id) => kpiOf(id, total.values[id] ?? null, agent))} />
            <DeletedNote before={deletedBefore} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Costs leave out the calls without a price, and say how many. */
function kpiOf(id: (typeof MEASURES)[number], value: number | null, agent: RunCost): Kpi {
  const { label, kind } = measureOf(id);
  const kpi: Kpi = { id, label, kind, value: value ?? 0, missing: value === null };
  return kind === 'money' ? { ...kpi, ...unpricedOf(agent.runUnpriced, agent.runModelCalls) } : kpi;
}

/** What the tile of a cost says of calls without a price. */
export const unpricedOf = (unpriced: number, calls: number): Pick<Kpi, 'mark' | 'note'> =>
  unpriced === 0
    ? {}
    : {
        mark: costMark({ unpriced, calls }),
        note: <span className="dim">{numberText(unpriced)} unpriced</span>,
      };
