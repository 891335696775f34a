import { Switch } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import type { getOrganizationEndpoint, MemberRow, putSecondFactorEndpoint } from '../orgs/contract.ts';

const organizationApi = endpointOf<typeof getOrganizationEndpoint>('GET /v1/organizations/:id');
const ruleApi = endpointOf<typeof putSecondFactorEndpoint>('PUT /v1/organizations/:id/second-factor');

/** For admins: whether members need a second factor, and who has none. */
export function SecondFactorPanel({ members }: { members: readonly MemberRow[] }): JSX.Element {
  const { organizationId } = useMember();
  const organization = useApi(organizationApi, { params: { id: organizationId } });
  const change = useChange<boolean>({
    failed: 'The setting was not changed',
    send: (required) => send(ruleApi, { params: { id: organizationId }, body: { required } }),
    stale: [organizationApi, meApi],
    done: 'The setting was changed',
  });
  const without = members.filter(({ secondFactor }) => secondFactor === false).map(({ name }) => name);
  return (
    <Panel title="Second factor">
      <Loaded of={organization} loading={<LoadingRows rows={1} />}>
        {({ requiresSecondFactor }) => (
          <div className="form">
            <Switch
              label="Require a second factor"
              description="Members without an authenticator app or a passkey can sign in, but open nothing of this organization until they add one. API keys are not affected."
              checked={requiresSecondFactor}
              disabled={change.isPending}
              onChange={(event) => change.mutate(event.currentTarget.checked)}
            />
            <p className="dim">
              {without.length === 0
                ? 'All members have a second factor.'
                : `Without a second factor: ${new Intl.ListFormat('en').format(without)}.`}
            </p>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
