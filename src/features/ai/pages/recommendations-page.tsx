import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { apiQuery, send } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { countText, moneyText, numberText } from '../../../lib/figures.ts';
import type {
  applyRecommendationEndpoint,
  dismissRecommendationEndpoint,
  Recommendation,
  RecommendationsReply,
  recommendationsEndpoint,
  reopenRecommendationEndpoint,
} from '../recommendations/contract.ts';
import { MakeButtons } from './make-buttons.tsx';

const listApi = endpointOf<typeof recommendationsEndpoint>('GET /v1/ai/recommendations');
const dismissApi = endpointOf<typeof dismissRecommendationEndpoint>(
  'POST /v1/ai/recommendations/:id/dismiss',
);
const applyApi = endpointOf<typeof applyRecommendationEndpoint>('POST /v1/ai/recommendations/:id/apply');
const reopenApi = endpointOf<typeof reopenRecommendationEndpoint>('POST /v1/ai/recommendations/:id/reopen');

/** What would have saved money in the last 30 days, what people decided, and what it really saved. */
export function RecommendationsPage(): JSX.Element {
  const projectId = useProjectId();
  // Each read counts against the limit, so that only a change reads it again.
  const list = useQuery<RecommendationsReply, ApiError>({
    ...apiQuery(listApi, { query: { projectId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title="Savings" scoped={false}>
      <Loaded of={list} loading={<LoadingRows rows={6} />}>
        {(data) => <Recommendations data={data} />}
      </Loaded>
    </Page>
  );
}

function Recommendations({
  data: { recommendations, skipped, deletedBefore },
}: {
  data: RecommendationsReply;
}): JSX.Element {
  const of = (state: Recommendation['state']) => recommendations.filter((one) => one.state === state);
  const [open, applied, dismissed] = [of('open'), of('applied'), of('dismissed')];
  return (
    <div className="stack">
      <DeletedNote before={deletedBefore} of="Recommendations that read single calls" />
      {skipped.length > 0 && (
        <p className="dim">
          Not computed, because too many calls would have to be read: {skipped.join(', ')}.
        </p>
      )}
      {open.length === 0 && (
        <Panel>
          <Notice icon="costs" title="No savings found">
            Calls of the last 30 days are looked at. A recommendation saves at least $1 and 1% of their cost.
          </Notice>
        </Panel>
      )}
      {open.map((one) => (
        <One key={one.id} of={one} />
      ))}
      {applied.length > 0 && <h2>Applied</h2>}
      {applied.map((one) => (
        <One key={one.id} of={one} />
      ))}
      {dismissed.length > 0 && <h2>Dismissed</h2>}
      {dismissed.map((one) => (
        <One key={one.id} of={one} />
      ))}
    </div>
  );
}

const CONFIDENCE = {
  high: 'Paid for nothing',
  medium: 'Exact, if the calls allow it',
  low: 'Test first',
} as const;

function One({ of }: { of: Recommendation }): JSX.Element {
  const { title, basis, monthlyUsd, range, confidence, evidence, query, state } = of;
  return (
    <Panel title={title} detail={CONFIDENCE[confidence]} actions={<Decide of={of} />}>
      <div className="stack">
        <p>
          <strong>{moneyText(monthlyUsd)} a month</strong>{' '}
          <span className="dim">
            ({moneyText(range.lowUsd)} to {moneyText(range.highUsd)})
          </span>
        </p>
        <p>{basis}</p>
        <p className="dim">
          <ProjectLink
            page="events"
            search={{ filter: query.filter, start: query.start, end: query.end, range: undefined }}
          >
            {countText(evidence.calls, 'call')}
          </ProjectLink>{' '}
          for {moneyText(evidence.costUsd)}, {numberText(Math.round(evidence.outputTokensAvg))} output tokens
          each
        </p>
        {state !== 'open' && <Decided of={of} />}
      </div>
    </Panel>
  );
}

const AS = { change: 'the application was changed', alert: 'as an alert', budget: 'as a budget' } as const;

function Decided({ of: { decision, saved } }: { of: Recommendation }): JSX.Element | null {
  const zone = useZone();
  if (decision === null) return null;
  const who = `${decision.by ?? 'Command line or former member'}, ${timeText.minute(decision.at, zone)}`;
  if (saved === null)
    return (
      <p>
        Dismissed: {decision.reason} <span className="dim">({who})</span>
      </p>
    );
  const { savedUsd, beforeUsdPerDay, afterUsdPerDay, beforeCallsPerDay, afterCallsPerDay, days } = saved;
  const why =
    saved.deletedBefore === undefined
      ? 'What it saves is known after a day.'
      : 'What it saves is unknown, because calls that it needs have been deleted (retention).';
  return (
    <p>
      Applied{decision.as === null ? '' : `, ${AS[decision.as]}`}.{' '}
      <strong>
        {savedUsd === null
          ? why
          : `${savedUsd < 0 ? 'Cost rose by' : 'Saved'} ${moneyText(Math.abs(savedUsd))} in ${numberText(Math.round(days))} days.`}
      </strong>{' '}
      <span className="dim">
        {moneyText(beforeUsdPerDay)} a day before ({numberText(Math.round(beforeCallsPerDay))} calls),{' '}
        {moneyText(afterUsdPerDay)} since ({numberText(Math.round(afterCallsPerDay))} calls).
        {saved.countedWhole !== undefined && ' Hours of which only sums are left count as a whole.'} {who}
      </span>
    </p>
  );
}

function Decide({ of: { id, state, documents } }: { of: Recommendation }): JSX.Element | null {
  const projectId = useProjectId();
  const { may } = useMember();
  const [isDismissing, setDismissing] = useState(false);
  const asked = { params: { id }, query: { projectId } };
  const apply = useChange({
    failed: 'The recommendation was not applied',
    send: (as: 'change' | 'alert' | 'budget') => send(applyApi, { ...asked, body: { as } }),
    stale: [listApi],
  });
  const reopen = useChange({
    failed: 'The recommendation was not opened again',
    send: () => send(reopenApi, asked),
    stale: [listApi],
  });
  if (!may('member')) return null;
  if (state !== 'open')
    return (
      <Button size="compact-xs" variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        Open again
      </Button>
    );
  return (
    <Group gap={6}>
      <MakeButtons
        drafts={documents}
        onMade={(as) => (as === 'alert' || as === 'budget') && apply.mutate(as)}
      />
      <Button
        size="compact-xs"
        variant="default"
        loading={apply.isPending}
        onClick={() => apply.mutate('change')}
      >
        Mark as applied
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => setDismissing(true)}>
        Dismiss
      </Button>
      {isDismissing && <Dismiss id={id} onClose={() => setDismissing(false)} />}
    </Group>
  );
}

function Dismiss({ id, onClose }: { id: string; onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const dismiss = useChange<string>({
    failed: 'The recommendation was not dismissed',
    inForm: true,
    send: (reason) => send(dismissApi, { params: { id }, query: { projectId }, body: { reason } }),
    stale: [listApi],
  });
  const form = useSubmit(async ({ reason = '' }) => {
    await dismiss.mutateAsync(reason.trim());
    onClose();
  });
  return (
    <FormDialog title="Dismiss recommendation" form={form} submit="Dismiss" onClose={onClose} size="sm">
      <TextInput label="Reason" name="reason" required maxLength={500} data-autofocus />
    </FormDialog>
  );
}
