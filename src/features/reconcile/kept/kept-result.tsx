import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useProjectId, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { ReconcileResult } from '../reconcile-result.tsx';
import type { getKeptEndpoint } from './contract.ts';

const getKeptApi = endpointOf<typeof getKeptEndpoint>('GET /v1/reconciliations/:id');

/** The kept comparison that the address names. */
export function KeptResultView({ id }: { id: string }): JSX.Element {
  const projectId = useProjectId();
  const patch = useSetSearch<'costs/reconcile'>();
  const kept = useApi(getKeptApi, { params: { id }, query: { projectId } });
  return (
    <Loaded of={kept} loading={<LoadingRows rows={4} />}>
      {({ name, note, createdAt, result }) => (
        <div className="stack">
          <Panel
            title={`Kept on ${timeText.date(createdAt, UTC)}`}
            actions={
              <Button variant="default" size="compact-xs" onClick={() => patch({ id: undefined })}>
                Close
              </Button>
            }
          >
            {note === '' ? <span className="dim">No note</span> : note}
          </Panel>
          <ReconcileResult key={id} name={name} result={result} filter={{}} onFilter={null} onKeep={null} />
        </div>
      )}
    </Loaded>
  );
}
