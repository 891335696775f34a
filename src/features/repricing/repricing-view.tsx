import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, Notice } from '../../dashboard/ui/states.tsx';
import { changeOf, countText, moneyText, numberText } from '../../lib/figures.ts';
import type { RepricingRow } from './contract.ts';
import { RepricingGroups } from './repricing-groups.tsx';
import { requestText } from './request-text.ts';
import { isBusy, StateBadge } from './state-badge.tsx';
import { useRepricingStep } from './use-repricing.ts';

/** One re-pricing: its figures, its progress and its next steps. */
export function RepricingView({ of }: { of: UseQueryResult<RepricingRow, ApiError> }): JSX.Element {
  return (
    <Loaded
      of={of}
      loading={
        <Panel flush>
          <LoadingKpis count={4} />
        </Panel>
      }
    >
      {(repricing) => <Shown repricing={repricing} />}
    </Loaded>
  );
}

function Shown({ repricing }: { repricing: RepricingRow }): JSX.Element {
  const zone = useZone();
  const { groups = [], state, changes, error, gone, unreadable } = repricing;
  const left = leftUnpriced(repricing);
  return (
    <div className="stack">
      <Panel
        title={state === 'looking' || state === 'ready' ? 'What would change' : 'What changed'}
        detail={requestText(repricing.request, zone)}
        actions={
          <>
            <StateBadge of={repricing} />
            <Steps repricing={repricing} />
          </>
        }
        flush
      >
        {isBusy(repricing) && <Progress of={repricing} />}
        {error !== null && (
          <p role="alert" className="panel-body bad">
            {error}
          </p>
        )}
        {gone > 0 && (
          <p className="panel-body warn">
            {countText(gone, 'event')} deleted or damaged before the undo: totals keep their new cost.
          </p>
        )}
        {unreadable > 0 && (
          <p className="panel-body warn">
            {countText(unreadable, 'event')} of this time damaged: not checked, their cost stays.
          </p>
        )}
        {state === 'ready' && left > 0 && (
          <p className="panel-body warn">
            {countText(left, 'call')} of these still without a price.{' '}
            <ProjectLink page="prices">Prices</ProjectLink> names the rate that each model lacks.
          </p>
        )}
        {state === 'ready' && changes === 0 ? (
          <Notice icon={left > 0 ? 'costs' : 'check'} title="Nothing would change">
            {left > 0
              ? 'No price applies to these calls.'
              : `All ${numberText(repricing.looked)} calls already have the cost of today’s prices.`}
          </Notice>
        ) : state !== 'looking' && state !== 'failed' ? (
          <Kpis kpis={toKpis(repricing)} />
        ) : null}
      </Panel>
      {groups.length > 0 && <RepricingGroups groups={groups} request={repricing.request} />}
    </div>
  );
}

/** Calls that have no price afterwards either, as far as the re-pricing looked at them. */
const leftUnpriced = ({ request, looked, changes, groups = [] }: RepricingRow): number =>
  (request.unpricedOnly ? looked - changes : 0) +
  groups.reduce((sum, { unpricedAfter }) => sum + unpricedAfter, 0);

function Progress({ of: { state, progress, applied, looked } }: { of: RepricingRow }): JSX.Element {
  const isLooking = state === 'looking';
  return (
    <div
      className="quota"
      role="progressbar"
      aria-label={isLooking ? 'Dry run' : 'Progress'}
      {...(isLooking
        ? { 'aria-valuetext': `${countText(looked, 'call')} examined` }
        : { 'aria-valuenow': Math.round(progress * 100), 'aria-valuetext': `${numberText(applied)} events` })}
    >
      <span
        className={`quota-used ${isLooking ? 'pulse-bar' : ''}`}
        style={{ width: `${(isLooking ? 1 : progress) * 100}%` }}
      />
    </div>
  );
}

/** Apply a dry run, or undo what was applied. */
function Steps({ repricing }: { repricing: RepricingRow }): JSX.Element | null {
  const { id, state, changes, applied, appliedDifference } = repricing;
  const { may } = useMember();
  const apply = useRepricingStep(id, 'apply');
  const undo = useRepricingStep(id, 'undo');
  if (!may('admin')) return null;
  if (state === 'ready' && changes > 0)
    return (
      <Button
        onClick={apply.go}
        loading={apply.pending}
        title="All figures of these days change with it. You can undo it."
      >
        Apply to {countText(changes, 'event')}
      </Button>
    );
  if (state !== 'applied' && state !== 'stopped' && state !== 'applying') return null;
  return (
    <Confirm
      label={state === 'applying' ? 'Stop and undo' : 'Undo'}
      title={`Restore the cost of ${countText(applied, 'event')}?`}
      confirm="Undo re-pricing"
      disabled={undo.pending}
      onConfirm={undo.go}
    >
      The total {appliedDifference < 0 ? 'rises' : 'falls'} by {moneyText(Math.abs(appliedDifference))}. Every
      event gets its previous cost, to the nano-dollar.
    </Confirm>
  );
}

function toKpis({ changes, looked, before, after, groups = [] }: RepricingRow): Kpi[] {
  const sum = (of: 'unpricedBefore' | 'unpricedAfter'): number =>
    groups.reduce((all, group) => all + group[of], 0);
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const difference = after - before;
  const change = changeOf(after, before);
  return [
    {
      id: 'events',
      label: 'Events that change',
      kind: 'count',
      value: changes,
      note: dim(`of ${numberText(looked)} examined`),
    },
    {
      id: 'before',
      label: 'Before',
      kind: 'money',
      value: before,
      note: dim(`${numberText(sum('unpricedBefore'))} without a price`),
    },
    {
      id: 'after',
      label: 'After',
      kind: 'money',
      value: after,
      note: dim(`${numberText(sum('unpricedAfter'))} without a price`),
    },
    {
      id: 'difference',
      label: 'Difference',
      kind: 'money',
      value: difference,
      note: change === null ? dim('no cost before') : dim(change.text),
    },
  ];
}
