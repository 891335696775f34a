import { useMutation } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { CostTabs } from '../../dashboard/shell/cost-tabs.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import type { Reconciliation, reconcileEndpoint } from './contract.ts';
import { FileDrop } from './file-drop.tsx';
import type { ExportFilter } from './filter-select.tsx';
import { KeepDialog } from './kept/keep-dialog.tsx';
import { KeptPanel } from './kept/kept-panel.tsx';
import { KeptResultView } from './kept/kept-result.tsx';
import { LayoutsHelp } from './layouts-help.tsx';
import { ReconcileResult } from './reconcile-result.tsx';

const reconcileApi = endpointOf<typeof reconcileEndpoint>('POST /v1/reconcile');

/** A file, and which of its lines count. */
type Upload = { readonly file: File; readonly filter: ExportFilter };
type Compared = { readonly upload: Upload; readonly result: Reconciliation };

/** Compares a provider's export with the ledger. The file is stored neither here nor on the server. */
export function ReconcilePage(): JSX.Element {
  const { projectId, search } = useScope('costs/reconcile');
  const patch = useSetSearch<'costs/reconcile'>();
  const compare = useMutation<Compared, ApiError, Upload>({
    mutationFn: async (upload) => ({
      upload,
      result: await send(reconcileApi, {
        query: { projectId, ...upload.filter },
        body: new Blob([upload.file], { type: 'text/csv' }),
      }),
    }),
  });
  const upload = compare.data?.upload;
  const [keeping, setKeeping] = useState(false);
  const { may } = useMember();
  return (
    <Page title="Reconcile" scoped={false}>
      <CostTabs />
      <p className="dim lead">
        Compare a provider's usage or cost export with the ledger of this project, by day and model. The file
        is not stored.
      </p>
      <FileDrop
        onFile={(file) => {
          patch({ id: undefined });
          compare.mutate({ file, filter: {} });
        }}
        busy={compare.isPending}
        again={compare.data !== undefined}
      />
      {search.id !== undefined ? (
        <KeptResultView id={search.id} />
      ) : compare.isPending ? (
        <Panel flush>
          <LoadingKpis count={4} />
        </Panel>
      ) : compare.error !== null ? (
        <Panel>
          <Failure error={compare.error} />
        </Panel>
      ) : (
        compare.data !== undefined && (
          <ReconcileResult
            key={compare.submittedAt}
            name={compare.data.upload.file.name}
            result={compare.data.result}
            filter={compare.data.upload.filter}
            onKeep={may('member') ? () => setKeeping(true) : null}
            onFilter={(filter) => upload !== undefined && compare.mutate({ ...upload, filter })}
          />
        )
      )}
      {keeping && upload !== undefined && <KeepDialog {...upload} onClose={() => setKeeping(false)} />}
      <KeptPanel />
      {compare.data === undefined && search.id === undefined && <LayoutsHelp />}
    </Page>
  );
}
