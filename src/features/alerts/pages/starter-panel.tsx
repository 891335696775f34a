import { Button, Group } from '@mantine/core';
import type { JSX } from 'react';
import type { listChannelsEndpoint } from '../../../core/deliveries/channels/contract.ts';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { ALERTS_STALE, createAlertApi } from './alerts-api.ts';
import { sentenceOf } from './rule-words.ts';
import css from './starter-panel.module.css';
import { STARTER_RULES } from './starter-rules.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');

type Props = {
  /** Names of the alerts that there are: those rules are not offered. */
  readonly taken: readonly string[];
};

/** Offers rules that most projects want, one by one or all at once. */
export function StarterPanel({ taken }: Props): JSX.Element | null {
  const projectId = useProjectId();
  const { organizationId, may } = useMember();
  const enabled = organizationId !== '';
  const channels = useApi(listChannelsApi, { query: { organizationId } }, { enabled }).data?.channels;
  const told = (channels ?? []).filter((channel) => channel.enabled);
  const add = useChange<readonly (typeof STARTER_RULES)[number][]>({
    failed: 'The alert was not created',
    send: async (rules) => {
      for (const { why: _, ...rule } of rules)
        await send(createAlertApi, {
          query: { projectId },
          body: { ...rule, channelIds: told.map(({ id }) => id) },
        });
    },
    stale: ALERTS_STALE,
    done: 'Alerts are judged every minute from now on',
  });
  const offered = STARTER_RULES.filter(({ name }) => !taken.includes(name));
  if (offered.length === 0 || !may('member')) return null;
  const isWaiting = add.isPending || channels === undefined;
  return (
    <Panel
      title="Start with these"
      actions={
        offered.length > 1 && (
          <Button size="compact-xs" loading={isWaiting} onClick={() => add.mutate(offered)}>
            Add all {offered.length}
          </Button>
        )
      }
    >
      <ul className={css.rules}>
        {offered.map((rule) => (
          <li key={rule.name}>
            <strong>{rule.name}</strong>
            <span className="dim">{rule.why}</span>
            <span>{sentenceOf(rule)}</span>
            <Group>
              <Button
                variant="default"
                size="compact-xs"
                disabled={isWaiting}
                aria-label={`Add ${rule.name}`}
                onClick={() => add.mutate([rule])}
              >
                Add
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <p className="dim">
        {told.length > 0 ? (
          <>They notify {told.map(({ name }) => name).join(', ')}.</>
        ) : (
          <>
            Nobody is notified yet: there is no channel.{' '}
            <ProjectLink page="channels">Set up a channel</ProjectLink>
          </>
        )}
      </p>
    </Panel>
  );
}
