import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { CostTabs } from '../../dashboard/shell/cost-tabs.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import type { Reconciliation, reconcileEndpoint } from './contract.ts';
import { FileDrop } from './file-drop.tsx';
import type { ExportFilter } from './filter-select.tsx';
import { LayoutsHelp } from './layouts-help.tsx';
import { ReconcileResult } from './reconcile-result.tsx';

const reconcileApi = endpointOf<typeof reconcileEndpoint>('POST /v1/reconcile');

/** A file, and which of its lines count. */
type Upload = { readonly file: File; readonly filter: ExportFilter };
type Compared = { readonly upload: Upload; readonly result: Reconciliation };

/** Compares a provider's export with the ledger. The file is stored neither here nor on the server. */
export function ReconcilePage(): JSX.Element {
  const projectId = useProjectId();
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
  return (
    <Page title="Reconcile" scoped={false}>
      <CostTabs />
      <p className="dim lead">
        Compare a provider's usage or cost export with the ledger of this project, by day and model. The file
        is not stored.
      </p>
      <FileDrop
        onFile={(file) => compare.mutate({ file, filter: {} })}
        busy={compare.isPending}
        again={compare.data !== undefined}
      />
      {compare.isPending ? (
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
            onFilter={(filter) => upload !== undefined && compare.mutate({ ...upload, filter })}
          />
        )
      )}
      {compare.data === undefined && <LayoutsHelp />}
    </Page>
  );
}
