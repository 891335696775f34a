import type { Column } from '../../../dashboard/ui/data-table.tsx';
import type { Kpi } from '../../../dashboard/ui/kpis.tsx';
import { compactText, durationText, numberText } from '../../../lib/figures.ts';
import { costColumn } from '../../pricing/money.tsx';

/** What a trace and a session sum over their calls. */
type CallSums = {
  readonly llm_calls: number;
  readonly unpriced: number;
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly errors: number;
  readonly duration_ms: number;
};

/** Cost, tokens and failed spans of a trace or a session. */
export const callKpis = (sums: CallSums): Kpi[] => [
  {
    id: 'cost',
    label: 'Cost',
    kind: 'money',
    value: sums.cost_usd,
    missing: sums.unpriced === sums.llm_calls,
    ...(sums.unpriced === 0
      ? {}
      : {
          note: (
            <span className="warn">
              {numberText(sums.unpriced)} of {numberText(sums.llm_calls)} unpriced
            </span>
          ),
        }),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    kind: 'count',
    value: sums.input_tokens + sums.output_tokens,
    note: (
      <span className="dim">
        {compactText(sums.input_tokens)} in, {compactText(sums.output_tokens)} out
      </span>
    ),
  },
  { id: 'errors', label: 'Failed spans', kind: 'count', value: sums.errors },
];

/** Columns of a list of traces or sessions, which the server sorts: calls, tokens, cost and duration. */
export const callColumns = <R extends CallSums>(): Column<R>[] => [
  {
    id: 'calls',
    header: 'Calls',
    sort: 'calls',
    align: 'right',
    csv: { header: 'calls', value: ({ llm_calls }) => llm_calls },
    cell: ({ llm_calls }) => numberText(llm_calls),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    sort: 'tokens',
    align: 'right',
    csv: [
      { header: 'input_tokens', value: ({ input_tokens }) => input_tokens },
      { header: 'output_tokens', value: ({ output_tokens }) => output_tokens },
    ],
    cell: ({ input_tokens, output_tokens }) => compactText(input_tokens + output_tokens),
  },
  costColumn(({ cost_usd, unpriced, llm_calls }) => ({ usd: cost_usd, unpriced, calls: llm_calls }), 'cost'),
  {
    id: 'duration',
    header: 'Duration',
    sort: 'duration',
    align: 'right',
    csv: { header: 'duration_ms', value: ({ duration_ms }) => duration_ms || null },
    // Events without a latency, all at one moment.
    cell: ({ duration_ms }) => (duration_ms === 0 ? '–' : durationText(duration_ms)),
  },
];
