import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { CostTabs } from '../../dashboard/shell/cost-tabs.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { EnvironmentMenu } from '../../dashboard/shell/scope/scope-controls.tsx';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { exactColumn } from '../../lib/money-column.ts';
import { DAY_MS, floorToDay, formatInstant, parseInstant } from '../../lib/time.ts';
import type { Statement, statementEndpoint } from './contract.ts';
import { FocusMenu } from './focus/focus-menu.tsx';
import css from './statement.module.css';
import { StatementTable } from './statement-table.tsx';

const statementApi = endpointOf<typeof statementEndpoint>('GET /v1/costs/statement');

const dayText = (ms: number): string => formatInstant(ms).slice(0, 10);

/** The day of the address as midnight in UTC; by default the last whole day. */
function dayOf(text: string | undefined, now: number): number {
  const given = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? parseInstant(text ?? '') : null;
  return given ?? floorToDay(now) - DAY_MS;
}

/** A day's statement: each model's lines, which add up to the day's cost. */
export function StatementPage(): JSX.Element {
  const scope = useScope('costs/statement');
  const { projectId, search } = scope;
  const { environment } = search;
  const { projectName } = useMember();
  const day = dayOf(search.day, Date.now());
  const statement = useApi(statementApi, { query: { projectId, environment, day: dayText(day) } });
  return (
    <Page
      title="Statement"
      detail={
        <span className="dim">
          of {projectName}, {environment !== undefined && `environment ${environment}, `}
          {timeText.date(day, UTC)}, UTC
        </span>
      }
      actions={
        <>
          <EnvironmentMenu scope={scope} />
          <DayControl day={day} />
          <FocusMenu day={day} />
          {/* Not while the previous day is still shown under the new date. */}
          <Button
            variant="default"
            disabled={statement.data === undefined || statement.isPlaceholderData}
            onClick={() => print()}
          >
            Print
          </Button>
        </>
      }
      scoped={false}
    >
      <CostTabs />
      <Loaded of={statement} loading={<Loading />}>
        {(data) =>
          data.calls === 0 ? (
            <Panel>
              <Notice icon="costs" title="No calls on this day">
                {environment === undefined ? 'Choose another day.' : 'Choose another day or environment.'}
              </Notice>
            </Panel>
          ) : (
            <div className="stack">
              <Panel flush>
                <StatementTable statement={data} />
              </Panel>
              <Closing statement={data} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

const Loading = (): JSX.Element => (
  <Panel flush>
    <LoadingRows rows={12} />
  </Panel>
);

function DayControl({ day }: { day: number }): JSX.Element {
  const setSearch = useSetSearch<'costs/statement'>();
  const today = floorToDay(Date.now());
  const choose = (ms: number): void => setSearch({ day: dayText(ms) }, { replace: true });
  return (
    <span className={css.dayControl}>
      <ActionIcon variant="default" size={30} aria-label="Previous day" onClick={() => choose(day - DAY_MS)}>
        <span className="flip">
          <Icon name="right" size={14} />
        </span>
      </ActionIcon>
      <TextInput
        type="date"
        size="xs"
        aria-label="Day"
        value={dayText(day)}
        max={dayText(today)}
        required
        onChange={(event) => {
          const ms = parseInstant(event.currentTarget.value);
          if (ms !== null) choose(ms);
        }}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Next day"
        disabled={day >= today}
        onClick={() => choose(day + DAY_MS)}
      >
        <Icon name="right" size={14} />
      </ActionIcon>
    </span>
  );
}

/** Whether the lines add up to the stored cost. */
function Closing({ statement }: { statement: Statement }): JSX.Element {
  const { adds_up, total_nano, lines_nano, calls, unpriced, lines } = statement;
  const amount = exactColumn([total_nano, lines_nano]);
  const isSummed = lines.some(({ kind }) => kind === 'summed');
  return (
    <p className={adds_up ? 'dim lead' : 'warn lead'} role="status">
      {adds_up
        ? `The lines add up to the stored cost of the day, ${amount(total_nano)}, to the nano-dollar.`
        : `The lines come to ${amount(lines_nano)}; the stored cost of the day is ${amount(total_nano)}.`}{' '}
      Each call is rounded to a nano-dollar before the sum.
      {unpriced > 0 &&
        ` ${numberText(unpriced)} of ${numberText(calls)} calls have no price, so no amount includes them.`}
      {isSummed && ' Retention has deleted rows of some calls; their cost appears as one line per model.'}
    </p>
  );
}
