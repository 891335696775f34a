import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import type { MetricMeasure } from '../../../core/events/query/contract.ts';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { MatrixTable } from '../../../core/events/widgets/matrix-table.tsx';
import { AddToDashboard } from '../../../dashboard/shell/metrics/add-to-dashboard.tsx';
import { MEASURES } from '../../../dashboard/shell/metrics/names.ts';
import { useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { useValueNames } from '../../../dashboard/shell/metrics/use-value-names.ts';
import { type Scope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { metricDimensionOf, wordsOf } from './cost-dimensions.tsx';
import css from './cost-matrix.module.css';

/** Values of each dimension that are told apart; the others are summed up. */
const SIDE = 10;

/** What the cells can show. */
const CELLS = [
  'cost',
  'costAvg',
  'requests',
  'tokens',
  'errorRate',
  'latencyP95',
  'cacheRate',
] as const satisfies readonly MetricMeasure[];

type Props = { readonly scope: Scope<'costs'>; readonly by: string; readonly across: string };

/** A measure by two dimensions: the first values of each, and the others together. */
export function CostMatrix({ scope, by, across }: Props): JSX.Element {
  const setSearch = useSetSearch<'costs'>();
  const measure = CELLS.find((one) => one === scope.search.cell) ?? 'cost';
  const [down, right] = [metricDimensionOf(by) ?? 'model', metricDimensionOf(across) ?? 'userId'];
  const groupBy = [down, right];
  const found = useMetrics(scope, {
    measures: [measure],
    groupBy,
    limit: 1,
    matrix: SIDE,
    // The same values whatever the cells show.
    orderBy: { measure: 'cost' },
  });
  const nameOf = useValueNames(scope.projectId, groupBy);
  const label = `${MEASURES[measure].label} by ${wordsOf(by).label.toLowerCase()} and ${wordsOf(across).label.toLowerCase()}`;
  return (
    <>
      <div className={css.head}>
        <NativeSelect
          size="xs"
          aria-label="Figure of the cells"
          value={measure}
          onChange={({ currentTarget: { value } }) =>
            setSearch({ cell: value === 'cost' ? undefined : value }, { replace: true })
          }
          data={CELLS.map((name) => ({ value: name, label: MEASURES[name].label }))}
        />
        <span className="dim">The stronger the colour, the more. A click on a cell opens its calls.</span>
        <span className={css.actions}>
          <AddToDashboard
            card={{ title: label, kind: 'matrix', measures: [measure], groupBy, limit: SIDE }}
          />
        </span>
      </div>
      <Loaded of={found} loading={<LoadingRows rows={8} />}>
        {(reply) =>
          // While other dimensions are read, the reply for those before is still there.
          reply.groupBy.join() === groupBy.join() && reply.measures[0]?.name === measure ? (
            <>
              <DeletedNote before={reply.deletedBefore} whole={reply.countedWhole} />
              <MatrixTable reply={reply} label={label} nameOf={nameOf} />
            </>
          ) : (
            <LoadingRows rows={8} />
          )
        }
      </Loaded>
    </>
  );
}
