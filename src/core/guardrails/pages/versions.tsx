import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Dialog } from '../../../dashboard/ui/dialog.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { ReplyOf } from '../../../http/endpoint.ts';
import type { GuardrailReply, guardrailVersionsEndpoint } from '../contract.ts';
import { guardrailVersionsApi } from './guardrails-api.ts';

type Version = ReplyOf<typeof guardrailVersionsEndpoint>['versions'][number];
type Props = { readonly guardrail: GuardrailReply; readonly onClose: () => void };

/** The versions of a guardrail, newest first. */
export function Versions({ guardrail: { id, name }, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const versions = useApi(guardrailVersionsApi, { params: { id }, query: { projectId } });
  return (
    <Dialog onClose={onClose} title={`Versions of ${name}`} size="xl">
      <Loaded of={versions} loading={<LoadingRows rows={4} />}>
        {(data) => (
          <DataTable
            label={`Versions of ${name}`}
            rows={data.versions}
            rowKey={({ version }) => String(version)}
            columns={withCells<Version>([
              { id: 'version', header: 'Version', align: 'right', value: ({ version }) => version },
              {
                id: 'checks',
                header: 'Checks',
                wide: true,
                wraps: true,
                value: ({ checks }) => checks.map(checkText).join('; '),
              },
              { id: 'stage', header: 'Looks at', value: ({ stage }) => stage },
              { id: 'by', header: 'By', value: ({ createdBy }) => createdBy ?? 'somebody who left' },
              {
                id: 'at',
                header: 'Created',
                value: ({ createdAt }) => createdAt,
                cell: ({ createdAt }) => timeText.minute(Date.parse(createdAt), zone),
              },
            ])}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

const checkText = ({ kind, action, config }: Version['checks'][number]): string => {
  const settings = JSON.stringify(config);
  return settings === '{}' ? `${kind} (${action})` : `${kind} ${settings} (${action})`;
};
