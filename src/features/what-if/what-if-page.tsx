import type { JSX } from 'react';
import { DeletedNote } from '../../core/events/widgets/deleted-note.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { CostTabs } from '../../dashboard/shell/cost-tabs.tsx';
import type { Params } from '../../dashboard/shell/endpoint.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { type Scope, useScope } from '../../dashboard/shell/scope/scope.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { changeOf, countText, numberText } from '../../lib/figures.ts';
import type { WhatIf, whatIfEndpoint } from './contract.ts';
import css from './what-if-page.module.css';
import { WhatIfTable } from './what-if-table.tsx';
import { fractionOf, type ModelField, Wishes } from './wishes.tsx';

const whatIfApi = endpointOf<typeof whatIfEndpoint>('GET /v1/costs/what-if');

/** What past calls would have cost with other settings. The address has all settings. */
export function WhatIfPage({ ModelInput }: { ModelInput: ModelField }): JSX.Element {
  const scope = useScope('costs/what-if');
  const wish = wishOf(scope);
  const answer = useApi(
    whatIfApi,
    { query: wish ?? { projectId: scope.projectId } },
    { enabled: wish !== null },
  );
  return (
    <Page title="What-if">
      <CostTabs />
      <Wishes scope={scope} ModelInput={ModelInput} />
      {wish === null ? (
        <Panel>
          <Ideas model={scope.search.model} />
        </Panel>
      ) : (
        <Loaded of={answer} loading={<Loading />}>
          {(data) => <Answer answer={data} />}
        </Loaded>
      )}
    </Page>
  );
}

/** The query for the API; null while no setting is chosen. */
function wishOf({ params, search }: Scope<'costs/what-if'>): (Scope['params'] & Params) | null {
  const wish = {
    model: search.as,
    caching: fractionOf(search.caching),
    batch: fractionOf(search.batch),
    sample: fractionOf(search.sample),
  };
  if (Object.values(wish).every((one) => one === undefined)) return null;
  return { ...params, from: search.model, ...wish };
}

/** Common settings as links, for the calls chosen already. */
const Ideas = ({ model }: { model: string | undefined }): JSX.Element => (
  <Notice icon="costs" title="Change a model, cache share or batch share to compare">
    For example:{' '}
    <ProjectLink page="costs/what-if" search={{ model, caching: '60' }}>
      60% of input from cache
    </ProjectLink>
    {', '}
    <ProjectLink page="costs/what-if" search={{ model, batch: '100' }}>
      all calls in batches
    </ProjectLink>
    {', '}
    <ProjectLink page="costs/what-if" search={{ model, sample: '10' }}>
      one call in ten
    </ProjectLink>
    .
  </Notice>
);

const Loading = (): JSX.Element => (
  <>
    <Panel flush>
      <LoadingKpis count={4} />
    </Panel>
    <Panel flush>
      <LoadingRows rows={6} />
    </Panel>
  </>
);

function Answer({ answer }: { answer: WhatIf }): JSX.Element {
  if (answer.models.length === 0)
    return (
      <Panel>
        <Notice icon="costs" title="No calls in this time">
          Choose a longer range, another environment, or all models.
        </Notice>
      </Panel>
    );
  return (
    <div className="stack">
      <Panel flush>
        <Kpis kpis={toKpis(answer.total)} />
        <DeletedNote before={undefined} whole={answer.countedWhole} />
      </Panel>
      <div className={css.beside}>
        <Panel title="By model" flush>
          <WhatIfTable answer={answer} />
        </Panel>
        <div className="stack">
          <Panel title="Assumptions">
            <ul className="ruled">
              {answer.assumptions.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Panel>
          <Notes answer={answer} />
        </div>
      </div>
    </div>
  );
}

/** Models without an estimate, or for which a setting does not apply, with the reason. */
function Notes({ answer }: { answer: WhatIf }): JSX.Element | null {
  const noted = answer.models.filter(({ note }) => note !== null);
  if (noted.length === 0) return null;
  return (
    <Panel title="Not included">
      <ul className="ruled">
        {noted.map(({ provider, model, note }) => (
          <li key={`${provider} ${model}`}>
            <strong>{model}</strong>: {note}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function toKpis(total: WhatIf['total']): Kpi[] {
  const { calls, leftOut, unpriced } = total;
  const [actual, expected, difference] = [total.actual ?? 0, total.expected ?? 0, total.difference ?? 0];
  const change = changeOf(expected, actual);
  const missing = calls === 0;
  const note = (text: string): JSX.Element => <span className="dim">{text}</span>;
  return [
    {
      id: 'actual',
      label: 'Actual',
      kind: 'money',
      value: actual,
      missing,
      note: note(countText(calls, 'call')),
    },
    {
      id: 'expected',
      label: 'Estimate',
      kind: 'money',
      value: expected,
      missing,
      note: note('at today’s prices'),
    },
    {
      id: 'difference',
      label: difference > 0 ? 'Extra cost' : 'Saving',
      kind: 'money',
      missing,
      value: Math.abs(difference),
      note:
        change === null || missing ? null : (
          <span className={change.sign > 0 ? 'bad' : change.sign < 0 ? 'good' : 'dim'}>{change.text}</span>
        ),
    },
    {
      id: 'left',
      label: 'Calls not compared',
      kind: 'count',
      value: leftOut,
      note: note(
        leftOut === 0
          ? 'all calls compared'
          : unpriced > 0
            ? `${numberText(unpriced)} have no price`
            : 'not comparable',
      ),
    },
  ];
}
