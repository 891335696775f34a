import type { JSX } from 'react';
import type { Column } from '../../dashboard/ui/data-table.tsx';
import { FIGURES, type FigureKind } from '../../dashboard/ui/format.ts';
import { changeOf, numberText, pointsOf } from '../../lib/figures.ts';
import type { DeploymentEffect, DeploymentsPage } from './contract.ts';

/** A deployment as the list of the page has it. */
export type Listed = DeploymentsPage['deployments'][number];

type Figure = keyof DeploymentEffect['change'];

/** The figures after a deployment, each with its change. */
export const EFFECT_COLUMNS: readonly Column<Listed>[] = [
  {
    id: 'calls',
    header: 'Calls after',
    align: 'right',
    value: ({ effect }) => effect?.after.calls ?? 0,
    cell: ({ effect }) => effect !== undefined && <Calls effect={effect} />,
  },
  figureColumn('costPerCall', 'Cost per call', 'money'),
  figureColumn('latencyP50', 'Median', 'duration'),
  figureColumn('latencyP95', 'p95', 'duration'),
  figureColumn('errorRate', 'Error rate', 'fraction'),
];

const Calls = ({ effect: { before, after, note, enough } }: { effect: DeploymentEffect }): JSX.Element => (
  <span title={note ?? undefined}>
    {numberText(after.calls)}
    <br />
    <span className="dim">
      {numberText(before.calls)} before{!enough && ', too few'}
    </span>
  </span>
);

function figureColumn(figure: Figure, header: string, kind: FigureKind): Column<Listed> {
  return {
    id: figure,
    header,
    align: 'right',
    value: ({ effect }) => effect?.after[figure] ?? -1,
    cell: ({ effect }) => effect !== undefined && <After effect={effect} figure={figure} kind={kind} />,
  };
}

type AfterProps = {
  readonly effect: DeploymentEffect;
  readonly figure: Figure;
  readonly kind: FigureKind;
};

function After({ effect, figure, kind }: AfterProps): JSX.Element {
  const [then, now] = [effect.before[figure], effect.after[figure]];
  if (now === null) return <TooFew side="after" />;
  const { short, full } = FIGURES[kind];
  return (
    <>
      {short(now)}
      <br />
      {then === null ? (
        <TooFew side="before" />
      ) : (
        <Change then={then} now={now} kind={kind} title={`Before: ${full(then)}`} />
      )}
    </>
  );
}

const TooFew = ({ side }: { side: 'before' | 'after' }): JSX.Element => (
  <span className="dim" title={`Too few calls ${side}`}>
    –
  </span>
);

/** All figures here are better when they are lower. */
function Change(props: { then: number; now: number; kind: FigureKind; title: string }): JSX.Element {
  const { then, now, kind, title } = props;
  const change = kind === 'fraction' ? pointsOf(now, then) : changeOf(now, then);
  const tone = change === null || change.sign === 0 ? 'dim' : change.sign > 0 ? 'bad' : 'good';
  return (
    <span className={tone} title={title}>
      {change?.text ?? 'nothing before'}
    </span>
  );
}
