import { Button, Checkbox } from '@mantine/core';
import type { JSX } from 'react';
import { refresh, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import type { Column } from '../../dashboard/ui/data-table.tsx';
import { countText } from '../../lib/figures.ts';
import type { KeyRow, listKeysEndpoint, revokeKeyEndpoint } from './contract.ts';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');
const revokeKeyApi = endpointOf<typeof revokeKeyEndpoint>('DELETE /v1/projects/:id/keys/:keyId');

/** Whether requests with the key are accepted. */
export const isInUse = ({ state }: KeyRow): boolean => state === 'active' || state === 'grace';

/** A column with a box for each key that can be revoked. */
export const selectColumn = (chosen: ReadonlySet<string>, choose: (id: string) => void): Column<KeyRow> => ({
  id: 'select',
  header: '',
  cell: (key) =>
    isInUse(key) && (
      <Checkbox
        size="xs"
        aria-label={`Select ${key.name}`}
        checked={chosen.has(key.id)}
        onChange={() => choose(key.id)}
      />
    ),
});

type SelectedProps = { readonly keys: readonly KeyRow[]; readonly onDone: () => void };

/** Revokes several keys after one confirmation. Each is a change of its own, with its own audit entry. */
export function RevokeSelected({ keys, onDone }: SelectedProps): JSX.Element {
  const project = useProjectId();
  const many = countText(keys.length, 'key');
  const revoke = useChange({
    failed: 'Not all keys were revoked',
    send: async () => {
      try {
        for (const { id } of keys) await send(revokeKeyApi, { params: { id: project, keyId: id } });
        onDone();
      } finally {
        // Some may be revoked although another one failed.
        await refresh(listKeysApi);
      }
    },
    stale: [],
    done: `${many} revoked`,
  });
  return (
    <div className="inline-form panel-body">
      <span>{many} selected</span>
      <Confirm
        label="Revoke selected"
        title={`Revoke ${many}?`}
        confirm={`Revoke ${many}`}
        word={many}
        onConfirm={() => revoke.mutate()}
      >
        The next request with any of these keys is refused: {keys.map(({ name }) => name).join(', ')}.
      </Confirm>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onDone}>
        Clear selection
      </Button>
    </div>
  );
}
