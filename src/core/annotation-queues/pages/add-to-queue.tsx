import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useNotify } from '../../../dashboard/shell/notices/notices.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { numberText } from '../../../lib/figures.ts';
import { addApi, itemsApi, listApi, queueApi } from './queues-api.ts';

type Targets = readonly { readonly traceId: string; readonly spanId?: string }[];
type Props = { readonly targets: Targets; readonly onClose: () => void; readonly onAdded?: () => void };

/** Adds traces to an annotation queue. */
export function AddToQueue({ targets, onClose, onAdded = () => {} }: Props): JSX.Element {
  const projectId = useProjectId();
  const notify = useNotify();
  const queues = useApi(listApi, { query: { projectId } }).data?.queues;
  const form = useSubmit(async ({ queue = '' }) => {
    if (queue === '') throw new Error('Make a queue on the page Annotation first');
    const items = targets.map(({ traceId, spanId }) =>
      spanId === undefined ? { traceId } : { traceId, spanId },
    );
    const { added, known } = await send(addApi, {
      params: { id: queue },
      query: { projectId },
      body: { items },
    });
    await refresh(listApi, queueApi, itemsApi);
    notify({
      message: `${numberText(added)} added${known > 0 ? `, ${numberText(known)} there already` : ''}`,
    });
    onAdded();
    onClose();
  });
  const what = targets.length === 1 ? 'one trace' : `${numberText(targets.length)} traces`;
  return (
    <FormDialog title={`Add ${what} to a queue`} form={form} submit="Add" onClose={onClose}>
      <NativeSelect
        // The options come after the first drawing.
        key={queues?.length}
        label="Annotation queue"
        name="queue"
        data={(queues ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      {queues?.length === 0 && <p className="dim">There is no queue yet. Make one on the page Annotation.</p>}
    </FormDialog>
  );
}
