import type { JSX } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { bytesText, numberText } from '../../lib/figures.ts';
import type { Billing, billingEndpoint, putBillingEndpoint, usageEndpoint } from './contract.ts';

const billingApi = endpointOf<typeof billingEndpoint>('GET /v1/organizations/:id/billing');
const planApi = endpointOf<typeof putBillingEndpoint>('PUT /v1/organizations/:id/billing');
const usageApi = endpointOf<typeof usageEndpoint>('GET /v1/organizations/:id/usage');

type Plan = Billing['plans'][number];

const columns: readonly Column<Plan>[] = [
  { id: 'plan', header: 'Plan', wide: true, value: ({ plan }) => plan, cell: ({ plan }) => plan },
  {
    id: 'events',
    header: 'Events a month',
    align: 'right',
    value: ({ monthlyEvents }) => monthlyEvents,
    cell: ({ monthlyEvents }) => numberText(monthlyEvents),
  },
  {
    id: 'bytes',
    header: 'Data a month',
    align: 'right',
    value: ({ monthlyBytes }) => monthlyBytes,
    cell: ({ monthlyBytes }) => bytesText(monthlyBytes),
  },
  {
    id: 'retention',
    header: 'Retention (days)',
    align: 'right',
    value: ({ retentionDays }) => retentionDays,
    cell: ({ retentionDays }) => numberText(retentionDays),
  },
  {
    id: 'projects',
    header: 'Projects',
    align: 'right',
    value: ({ projects }) => projects,
    cell: ({ projects }) => numberText(projects),
  },
];

/** The plans of the server, the one in force, and for owners the change to another where the server allows it. */
export function PlanPanel({ organizationId }: { organizationId: string }): JSX.Element {
  const billing = useApi(billingApi, { query: {}, params: { id: organizationId } });
  return (
    <Panel title="Plan" detail={billing.data && whoChanges(billing.data)} flush>
      <Loaded of={billing} loading={<LoadingRows rows={3} />}>
        {(data) => <Plans billing={data} />}
      </Loaded>
    </Panel>
  );
}

function whoChanges({ planChanges, ownLimits }: Billing): string {
  if (ownLimits) return 'The operator of this server set limits for this organization';
  return planChanges === 'operator' ? 'The operator of this server changes plans' : 'Owners change the plan';
}

function Plans({ billing }: { billing: Billing }): JSX.Element {
  const { organizationId, may } = useMember();
  const change = useChange<Plan>({
    failed: 'The plan was not changed',
    done: 'The plan was changed',
    send: ({ plan, lowered }) =>
      send(planApi, {
        params: { id: organizationId },
        body: { plan, acceptLowerLimits: lowered.length > 0 },
      }),
    stale: [billingApi, usageApi],
  });
  const mayChange = may('owner') && billing.planChanges === 'owner' && !billing.ownLimits;
  const state: Column<Plan> = {
    id: 'state',
    header: '',
    align: 'right',
    cell: (row) => {
      if (row.plan === billing.plan) return <span className="dim">in force</span>;
      return mayChange ? <Change to={row} disabled={change.isPending} onConfirm={change.mutate} /> : null;
    },
  };
  return (
    <DataTable label="Plans" columns={[...columns, state]} rows={billing.plans} rowKey={({ plan }) => plan} />
  );
}

function Change({
  to,
  disabled,
  onConfirm,
}: {
  to: Plan;
  disabled: boolean;
  onConfirm: (plan: Plan) => void;
}): JSX.Element {
  const isLower = to.lowered.length > 0;
  return (
    <Confirm
      label={`Change to ${to.plan}`}
      title={`Change to the ${to.plan} plan?`}
      confirm="Change plan"
      danger={isLower}
      disabled={disabled}
      onConfirm={() => onConfirm(to)}
      {...(isLower ? { word: to.plan } : {})}
    >
      {isLower ? (
        <>
          <p>These limits get lower at once:</p>
          <ul>
            {to.lowered.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>The new limits apply at once. No limit gets lower.</p>
      )}
    </Confirm>
  );
}
