import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { QualityTabs } from '../../../dashboard/shell/quality-tabs.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { countText, moneyText, numberText, percentText } from '../../../lib/figures.ts';
import { MarkedCost } from '../../pricing/money.tsx';
import type { OnlineRule } from '../contract.ts';
import { BackfillDialog } from './backfill-dialog.tsx';
import { ItemsDialog } from './items-dialog.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { listApi } from './rules-api.ts';

/** The backlog changes without the reader's doing. */
const EVERY_MS = 15_000;

type Open = { readonly dialog: 'edit' | 'backfill' | 'items'; readonly rule: OnlineRule | null };

/** The rules that judge new traces, with what waits, what it costs and what goes wrong. */
export function OnlineRulesPage(): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useApi(listApi, { query: { projectId } }, { every: EVERY_MS });
  const add = may('member') && (
    <Button onClick={() => setOpen({ dialog: 'edit', rule: null })}>New online rule</Button>
  );
  const close = (): void => setOpen(null);
  return (
    <Page title="Online rules" actions={add} scoped={false}>
      <QualityTabs />
      <Panel flush>
        <Loaded of={list} loading={<LoadingRows rows={4} height={49} />}>
          {({ rules }) =>
            rules.length === 0 ? (
              <Notice icon="live" title="No online rules yet">
                A rule judges a sample of new traces with an evaluator, under a monthly cap. Its scores are
                measures of dashboards and alerts.
              </Notice>
            ) : (
              <DataTable
                label="Online rules"
                phone={['name', 'state', 'scored']}
                columns={columnsOf(may('member') ? setOpen : null, setOpen)}
                rows={rules}
                rowKey={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {open?.dialog === 'edit' && <RuleDialog rule={open.rule} onClose={close} />}
      {open?.dialog === 'backfill' && open.rule !== null && (
        <BackfillDialog rule={open.rule} onClose={close} />
      )}
      {open?.dialog === 'items' && open.rule !== null && <ItemsDialog rule={open.rule} onClose={close} />}
    </Page>
  );
}

const BADGES = { running: 'good', off: '', capped: 'warn', held: 'bad' } as const;

const columnsOf = (change: ((open: Open) => void) | null, show: (open: Open) => void) =>
  withCells<OnlineRule>([
    {
      id: 'name',
      header: 'Rule',
      wide: true,
      wraps: true,
      value: ({ name }) => name,
      cell: ({ name, evaluator, filter, sampleRate, stateReason, content }) => (
        <>
          {name}
          <br />
          <span className="dim">
            {evaluator ?? 'its evaluator was deleted'}, {percentText(sampleRate)} of{' '}
            {filter === '' ? 'all traces' : filter}
          </span>
          {content === 'none' && (
            <>
              <br />
              <span className="dim">
                This project stores no content: only latency and cost can be judged.
              </span>
            </>
          )}
          {stateReason !== null && (
            <>
              <br />
              <span className="dim">{stateReason}</span>
            </>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      cell: ({ state }) => <span className={`badge ${BADGES[state]}`}>{state}</span>,
    },
    {
      id: 'waiting',
      header: 'Waiting',
      align: 'right',
      value: ({ waiting }) => waiting,
      cell: ({ waiting, due }) => <span title={`${due} are due`}>{numberText(waiting)}</span>,
    },
    {
      id: 'scored',
      header: 'Scored this month',
      align: 'right',
      value: ({ month }) => month.scored,
      cell: ({ month }) => numberText(month.scored),
    },
    {
      id: 'failed',
      header: 'Not scored',
      align: 'right',
      value: ({ month }) => month.failed + month.skipped + month.dropped,
      cell: (rule) => (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Traces of ${rule.name} without a score`}
          title={`${rule.month.failed} failed, ${rule.month.skipped} skipped, ${rule.month.dropped} dropped`}
          onClick={() => show({ dialog: 'items', rule })}
        >
          {numberText(rule.month.failed + rule.month.skipped + rule.month.dropped)}
        </Button>
      ),
    },
    {
      id: 'cost',
      header: 'Cost this month',
      align: 'right',
      value: ({ month }) => month.costUsd,
      cell: ({ month, monthlyUsd }) => (
        <>
          <MarkedCost
            mark={month.unpriced === 0 ? 'known' : month.costUsd === 0 ? 'unpriced' : 'minimum'}
            title={`${countText(month.unpriced, 'judgement')} without a known price`}
          >
            {moneyText(month.costUsd)}
          </MarkedCost>
          {monthlyUsd !== null && <span className="dim"> of {moneyText(monthlyUsd)}</span>}
        </>
      ),
    },
    ...(change === null
      ? []
      : [
          {
            id: 'do',
            header: '',
            cell: (rule: OnlineRule) => (
              <>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Back-fill ${rule.name}`}
                  disabled={!rule.enabled}
                  onClick={() => change({ dialog: 'backfill', rule })}
                >
                  Back-fill
                </Button>{' '}
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Edit ${rule.name}`}
                  onClick={() => change({ dialog: 'edit', rule })}
                >
                  Edit
                </Button>
              </>
            ),
          },
        ]),
  ]);
