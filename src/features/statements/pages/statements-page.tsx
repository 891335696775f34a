import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { closeMonthEndpoint, StatementBy, StatementDefinition } from '../contract.ts';
import { byOf, byText, definitionsApi, monthOf, monthText, statementApi, statementsApi } from './apis.ts';
import { DefinitionForm } from './definition-form.tsx';
import { StatementTable } from './statement-table.tsx';

const closeApi = endpointOf<typeof closeMonthEndpoint>('POST /v1/organizations/:id/statements/close');

/** A month's costs as bills: who owes what. */
export function StatementsPage(): JSX.Element {
  const { organizationId, organizationName } = useMember();
  const { search } = useScope('statements');
  const enabled = organizationId !== '';
  const definitions = useApi(definitionsApi, { params: { id: organizationId } }, { enabled });
  if (definitions.data === undefined)
    return (
      <Page title="Statements" detail={<span className="dim">of {organizationName}</span>} scoped={false}>
        <Panel flush>
          {definitions.error === null ? (
            <LoadingRows rows={6} />
          ) : (
            <Failure error={definitions.error} retry={() => void definitions.refetch()} />
          )}
        </Panel>
      </Page>
    );
  const { definitions: all } = definitions.data;
  return (
    <Month definitions={all} by={byOf(search.by, all[0]?.by)} month={monthOf(search.month, Date.now())} />
  );
}

type MonthProps = {
  readonly definitions: readonly StatementDefinition[];
  readonly by: StatementBy;
  readonly month: string;
};

function Month({ definitions, by, month }: MonthProps): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const [edited, setEdited] = useState(false);
  const definition = definitions.find((one) => one.by === by);
  const search = new URLSearchParams({ month, by });
  const edit = may('admin') ? (
    <Button
      variant={definition === undefined ? 'filled' : 'default'}
      size="xs"
      onClick={() => setEdited(true)}
    >
      {definition === undefined ? 'Define' : 'Settings'}
    </Button>
  ) : null;
  return (
    <Page
      title="Statements"
      detail={<span className="dim">of {organizationName}</span>}
      actions={
        <>
          <Choice definitions={definitions} by={by} month={month} />
          <Button
            component="a"
            href={`/v1/organizations/${encodeURIComponent(organizationId)}/statements/csv?${search}`}
            download
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={14} />}
          >
            CSV
          </Button>
          {edit}
          {may('admin') && definition !== undefined && <Close definition={definition} month={month} />}
        </>
      }
      scoped={false}
    >
      {definition === undefined && (
        <Panel>
          <Notice icon="costs" title={`No statements by ${byText(by).toLowerCase()} are defined`}>
            Below are costs in US dollars. A definition adds a markup, fees, a currency and a letterhead,
            closes months and sends statements to channels.
          </Notice>
        </Panel>
      )}
      <StatementTable by={by} month={month} hasTerms={definition !== undefined} />
      {edited && <DefinitionForm by={by} definition={definition ?? null} onClose={() => setEdited(false)} />}
    </Page>
  );
}

const KNOWN = ['project', 'user', 'key'];

function Choice({ definitions, by, month }: MonthProps): JSX.Element {
  const setSearch = useSetSearch<'statements'>();
  const all = [...new Set([...definitions.map((one) => one.by), ...KNOWN, by])];
  const [asksTag, setAsksTag] = useState(false);
  const choose = (chosen: string): void =>
    chosen === 'tag' ? setAsksTag(true) : setSearch({ by: chosen, month }, { replace: true });
  const form = useSubmit(async ({ tag = '' }) => {
    setSearch({ by: `tag:${tag.trim()}`, month }, { replace: true });
    setAsksTag(false);
  });
  return (
    <>
      {asksTag && (
        <FormDialog
          title="Statements by a tag"
          form={form}
          submit="Show"
          onClose={() => setAsksTag(false)}
          size="sm"
        >
          <TextInput
            label="Name of the tag"
            name="tag"
            placeholder="customer"
            required
            pattern=".*\S.*"
            maxLength={200}
            data-autofocus
          />
        </FormDialog>
      )}
      <NativeSelect
        size="xs"
        aria-label="Statements by"
        value={by}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[...all.map((value) => ({ value, label: byText(value) })), { value: 'tag', label: 'Tag …' }]}
      />
      <TextInput
        type="month"
        size="xs"
        aria-label="Month"
        value={month}
        required
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value !== '') setSearch({ by, month: value }, { replace: true });
        }}
      />
    </>
  );
}

/** Closes the month, if it has ended and is open. */
function Close({
  definition,
  month,
}: {
  readonly definition: StatementDefinition;
  readonly month: string;
}): JSX.Element | null {
  const { organizationId } = useMember();
  const by = definition.by as StatementBy;
  const close = useChange({
    failed: `${monthText(month)} was not closed`,
    send: () => send(closeApi, { params: { id: organizationId }, body: { month, by, confirm: month } }),
    stale: [statementsApi, statementApi, definitionsApi],
    done: `${monthText(month)} is closed`,
  });
  const isClosed = definition.lastClosed !== null && month <= definition.lastClosed;
  const hasEnded = month < new Date().toISOString().slice(0, 7);
  if (isClosed || !hasEnded) return null;
  return (
    <Confirm
      label={close.isPending ? 'Closing …' : 'Close month'}
      title={`Close ${monthText(month)}?`}
      confirm="Close month"
      word={month}
      size="xs"
      primary
      disabled={close.isPending}
      onConfirm={() => close.mutate()}
    >
      Its statements never change again, and its channels get them. Late events and new prices become
      corrections in the next month.
    </Confirm>
  );
}
