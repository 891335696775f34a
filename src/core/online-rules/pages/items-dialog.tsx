import { SegmentedControl } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { Dialog } from '../../../dashboard/ui/dialog.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import type { OnlineRule, RuleItem } from '../contract.ts';
import { itemsApi } from './rules-api.ts';

type State = RuleItem['state'];
type Props = { readonly rule: OnlineRule; readonly onClose: () => void };

/** What became of the traces of a rule, and why some have no score. */
export function ItemsDialog({ rule, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const [state, setState] = useState<State>('failed');
  const items = useApi(itemsApi, { query: { projectId, state }, params: { id: rule.id } });
  return (
    <Dialog onClose={onClose} title={`Traces of ${rule.name}`} size="lg">
      <SegmentedControl
        size="xs"
        aria-label="State"
        data={['failed', 'skipped', 'waiting', 'scored']}
        value={state}
        onChange={(value) => setState(value as State)}
      />
      <Loaded of={items} loading={<LoadingRows rows={4} />}>
        {(data) =>
          data.items.length === 0 ? (
            <p className="dim">No trace is {state}.</p>
          ) : (
            <ul>
              {data.items.map(({ traceId, reason, dueAt, judgedAt, tries }) => (
                <li key={traceId}>
                  <ProjectLink page="traces/$traceId" params={{ traceId }} title={traceId}>
                    {traceId}
                  </ProjectLink>{' '}
                  <span className="dim">
                    {judgedAt === null
                      ? `due ${timeText.minute(Date.parse(dueAt), zone)}`
                      : timeText.minute(Date.parse(judgedAt), zone)}
                    {tries > 0 && `, failed ${tries} times`}
                  </span>
                  {reason !== null && (
                    <>
                      <br />
                      {reason}
                    </>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}
