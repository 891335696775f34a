import { Button, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { agoText, timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../dashboard/ui/secret-once.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type {
  createKeyEndpoint,
  KeyRow,
  listKeysEndpoint,
  revokeKeyEndpoint,
  rotateKeyEndpoint,
} from './contract.ts';

const createKeyApi = endpointOf<typeof createKeyEndpoint>('POST /v1/projects/:id/keys');
const rotateKeyApi = endpointOf<typeof rotateKeyEndpoint>('POST /v1/projects/:id/keys/:keyId/rotate');
const revokeKeyApi = endpointOf<typeof revokeKeyEndpoint>('DELETE /v1/projects/:id/keys/:keyId');
const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** A new key, shown until the user leaves the page. */
type Fresh = { readonly title: string; readonly apiKey: string };

/** The API keys of this project. */
export function KeysPage(): JSX.Element {
  const path = `/v1/projects/${encodeURIComponent(useProjectId())}/keys`;
  const keys = useApi(listKeysApi, { params: { id: useProjectId() } });
  const { may } = useMember();
  const [fresh, setFresh] = useState<Fresh | null>(null);
  return (
    <Page title="API keys" scoped={false}>
      <p className="dim lead">
        A key writes events to this project and can do nothing else. Only a hash of it is kept: whoever loses
        a key makes a new one.
      </p>
      {fresh !== null && (
        <Panel title={fresh.title} detail="shown here and never again">
          <SecretOnce value={fresh.apiKey} />
        </Panel>
      )}
      {may('admin') && <NewKey path={path} onMade={setFresh} />}
      <Panel flush>
        <Loaded of={keys} loading={<LoadingRows rows={3} />}>
          {(data) =>
            data.keys.length === 0 ? (
              <Notice icon="key" title="No keys yet" />
            ) : (
              <Keys keys={data.keys} path={path} onMade={setFresh} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

type Made = { readonly onMade: (fresh: Fresh) => void; readonly path: string };

function NewKey({ path, onMade }: Made): JSX.Element {
  const id = useProjectId();
  const create = useChange<string>({
    failed: 'The key was not created',
    send: async (name) => {
      const { apiKey } = await send(createKeyApi, { params: { id }, body: { name } });
      onMade({ title: `Key ${name}`, apiKey });
    },
    stale: [path],
  });
  const { busy, onSubmit } = useSubmit(async ({ name }) => {
    if (name !== undefined) await create.mutateAsync(name).catch(() => undefined);
  });
  return (
    <form onSubmit={onSubmit} className="inline-form">
      <TextInput
        name="name"
        aria-label="Name of the key"
        placeholder="Name, such as backend"
        required
        maxLength={200}
        size="xs"
      />
      <Button type="submit" loading={busy} size="xs">
        Make a key
      </Button>
    </form>
  );
}

const STATES: Readonly<Record<KeyRow['state'], { label: string; tone: string }>> = {
  active: { label: 'Active', tone: 'good' },
  grace: { label: 'Replaced', tone: 'warn' },
  expired: { label: 'Expired', tone: '' },
  revoked: { label: 'Revoked', tone: '' },
};

function Keys({ keys, path, onMade }: Made & { keys: readonly KeyRow[] }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const project = useProjectId();
  const rotate = useChange<KeyRow>({
    failed: 'The key was not rotated',
    send: async ({ id, name }) => {
      const { apiKey } = await send(rotateKeyApi, { params: { id: project, keyId: id } });
      onMade({ title: `New key ${name}`, apiKey });
    },
    stale: [path],
  });
  const revoke = useChange<KeyRow>({
    failed: 'The key was not revoked',
    send: ({ id }) => send(revokeKeyApi, { params: { id: project, keyId: id } }),
    stale: [path],
    done: 'The key is refused from now on',
  });
  const now = Date.now();
  const columns: Column<KeyRow>[] = [
    { id: 'name', header: 'Name', wide: true, value: ({ name }) => name, cell: ({ name }) => name },
    { id: 'prefix', header: 'Begins with', cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      cell: ({ state, validUntil }) => (
        <span className={`badge ${STATES[state].tone}`}>
          {STATES[state].label}
          {state === 'grace' && validUntil !== null && `, works until ${timeText.minute(validUntil, zone)}`}
        </span>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="dim">never</span> : agoText(lastUsedAt, now),
    },
    {
      id: 'made',
      header: 'Made',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt, createdBy }) => (
        <span title={createdBy ?? 'on the command line'}>{timeText.date(createdAt, zone)}</span>
      ),
    },
    {
      id: 'actions',
      header: '',
      cell: (key) =>
        may('admin') && (key.state === 'active' || key.state === 'grace') ? (
          <span className="row-actions">
            {key.state === 'active' && (
              <Confirm
                label="Rotate"
                title={`Rotate ${key.name}?`}
                confirm="Make the new key"
                danger={false}
                onConfirm={() => rotate.mutate(key)}
              >
                A new key takes its place. The old one works for 24 more hours.
              </Confirm>
            )}
            <Confirm
              label="Revoke"
              title={`Revoke ${key.name}?`}
              confirm="Revoke it"
              onConfirm={() => revoke.mutate(key)}
            >
              Whoever still uses it is refused from the next request on. What was stored stays.
            </Confirm>
          </span>
        ) : null,
    },
  ];
  return <DataTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} />;
}
