import type { JSX } from 'react';
import { Money } from '../../core/pricing/money.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import type { UserReply } from './contract.ts';
import { windowSearch } from './window-search.ts';

type Model = UserReply['models'][number];

/** The models of a user's calls, highest cost first. */
export function UserModels({ data }: { data: UserReply }): JSX.Element {
  const { models, modelsSince, window, user } = data;
  // For a user with very many calls, models cover only the newest days.
  const isPart = modelsSince > window.start;
  return (
    <Panel
      title="Models"
      detail={isPart ? `newest calls, since ${timeText.day(modelsSince, UTC)}` : 'by cost'}
      flush
    >
      {models.length === 0 ? (
        <Notice title="No calls in this time" />
      ) : (
        <DataTable
          label="Models"
          columns={columnsFor({ userId: user.user_id, ...windowSearch({ ...window, start: modelsSince }) })}
          rows={models}
          rowKey={({ provider, model }) => JSON.stringify([provider, model])}
          sort={{ id: 'cost', desc: true }}
        />
      )}
    </Panel>
  );
}

const columnsFor = (search: EventsSearch): Column<Model>[] => [
  {
    id: 'model',
    header: 'Model',
    wide: true,
    value: ({ model }) => model ?? '',
    cell: ({ model, provider }) =>
      model === null ? (
        <span className="dim">unknown</span>
      ) : (
        <ProjectLink
          page="events"
          search={{ ...search, model, provider: provider ?? undefined }}
          title={model}
          className="row-link"
        >
          {model}
        </ProjectLink>
      ),
  },
  {
    id: 'calls',
    header: 'Calls',
    align: 'right',
    value: ({ requests }) => requests,
    cell: ({ requests }) => numberText(requests),
  },
  {
    id: 'failed',
    header: 'Failed',
    align: 'right',
    value: ({ errors }) => errors,
    cell: ({ errors }) => (errors === 0 ? <span className="dim">0</span> : numberText(errors)),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'right',
    value: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
    cell: ({ input_tokens, output_tokens }) => compactText(input_tokens + output_tokens),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    value: ({ cost_usd }) => cost_usd,
    amount: ({ cost_usd }) => cost_usd,
    cell: ({ cost_usd, unpriced, requests }, write) => (
      <Money usd={cost_usd} unpriced={unpriced} calls={requests} write={write} />
    ),
  },
];
