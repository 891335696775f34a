import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { agoText, timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../dashboard/ui/secret-once.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { DAY_MS } from '../../lib/time.ts';
import type {
  createKeyEndpoint,
  KeyRow,
  listKeysEndpoint,
  revokeKeyEndpoint,
  rotateKeyEndpoint,
} from './contract.ts';
import { isInUse, RevokeSelected, selectColumn } from './revoke-selected.tsx';

const createKeyApi = endpointOf<typeof createKeyEndpoint>('POST /v1/projects/:id/keys');
const rotateKeyApi = endpointOf<typeof rotateKeyEndpoint>('POST /v1/projects/:id/keys/:keyId/rotate');
const revokeKeyApi = endpointOf<typeof revokeKeyEndpoint>('DELETE /v1/projects/:id/keys/:keyId');
const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** A new key, shown until the user leaves the page. */
type Fresh = { readonly title: string; readonly apiKey: string };

/** The API keys of this project. */
export function KeysPage(): JSX.Element {
  const keys = useApi(listKeysApi, { params: { id: useProjectId() } });
  const { may } = useMember();
  // All of them: a secret that is replaced before it was copied is lost.
  const [fresh, setFresh] = useState<readonly Fresh[]>([]);
  const show = (made: Fresh): void => setFresh((before) => [made, ...before]);
  return (
    <Page title="API keys" scoped={false}>
      <p className="dim lead">
        A key can only write events to this project; programs that read need an{' '}
        <ProjectLink page="access-tokens">access token</ProjectLink>. The server stores a hash of a key: if
        you lose it, create a new one.
      </p>
      {fresh.map(({ title, apiKey }) => (
        <Panel key={apiKey} title={title} detail="Copy it now, it is shown only once">
          <SecretOnce value={apiKey} />
        </Panel>
      ))}
      {may('admin') && <NewKey onMade={show} />}
      <MakersLeft keys={keys.data?.keys ?? []} />
      <Panel flush>
        <Loaded of={keys} loading={<LoadingRows rows={3} />}>
          {(data) =>
            data.keys.length === 0 ? (
              <Notice icon="key" title="No keys yet" />
            ) : (
              <Keys keys={data.keys} onMade={show} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

/** Days by choice. */
const LIVES = [
  { value: '', label: 'Never expires' },
  { value: '30', label: 'Expires in 30 days' },
  { value: '90', label: 'Expires in 90 days' },
  { value: '365', label: 'Expires in a year' },
];

type Made = { readonly onMade: (fresh: Fresh) => void };

function NewKey({ onMade }: Made): JSX.Element {
  const id = useProjectId();
  const create = useChange<{ name: string; days: string }>({
    failed: 'The key was not created',
    send: async ({ name, days }) => {
      const ends = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const body = { name, ...(days !== '' && { expiresAt: ends }) };
      const { apiKey } = await send(createKeyApi, { params: { id }, body });
      onMade({ title: `Key ${name}`, apiKey });
    },
    stale: [listKeysApi],
  });
  const { busy, onSubmit } = useSubmit(
    async ({ name, days = '' }) => {
      if (name !== undefined) await create.mutateAsync({ name, days });
    },
    { clears: true },
  );
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
      <NativeSelect name="days" aria-label="Expires" data={LIVES} size="xs" />
      <Button type="submit" loading={busy} size="xs">
        Create key
      </Button>
    </form>
  );
}

/** Keys whose makers are no members any more. */
function MakersLeft({ keys }: { keys: readonly KeyRow[] }): JSX.Element | null {
  const left = keys.filter(({ makerLeft, state }) => makerLeft && (state === 'active' || state === 'grace'));
  if (left.length === 0) return null;
  return (
    <p className="lead">
      <span className="warn">
        Created by people who have left: {left.map(({ name }) => name).join(', ')}.
      </span>{' '}
      They may still know these keys. Rotate them, and replace them where they are used.
    </p>
  );
}

const STATES: Readonly<Record<KeyRow['state'], { label: string; tone: string }>> = {
  active: { label: 'Active', tone: 'good' },
  grace: { label: 'Replaced', tone: 'warn' },
  expired: { label: 'Expired', tone: '' },
  revoked: { label: 'Revoked', tone: '' },
};

function Keys({ keys, onMade }: Made & { keys: readonly KeyRow[] }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const project = useProjectId();
  const rotate = useChange<KeyRow>({
    failed: 'The key was not rotated',
    send: async ({ id, name }) => {
      const { apiKey } = await send(rotateKeyApi, { params: { id: project, keyId: id } });
      onMade({ title: `New key ${name}`, apiKey });
    },
    stale: [listKeysApi],
  });
  const revoke = useChange<KeyRow>({
    failed: 'The key was not revoked',
    send: ({ id }) => send(revokeKeyApi, { params: { id: project, keyId: id } }),
    stale: [listKeysApi],
    done: 'The key is revoked',
  });
  const now = Date.now();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string): void => setChosen((before) => new Set([id]).symmetricDifference(before));
  const revocable = may('admin') ? keys.filter(isInUse) : [];
  const selected = revocable.filter(({ id }) => chosen.has(id));
  const columns: Column<KeyRow>[] = [
    ...(revocable.length < 2 ? [] : [selectColumn(chosen, choose)]),
    {
      id: 'name',
      header: 'Name',
      wide: true,
      value: ({ name }) => name,
      csv: [
        { header: 'name', value: ({ name }) => name },
        { header: 'id', value: ({ id }) => id },
      ],
      cell: ({ name }) => name,
    },
    {
      id: 'prefix',
      header: 'Prefix',
      csv: { header: 'prefix', value: ({ prefix }) => prefix },
      cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      csv: { header: 'state', value: ({ state }) => state },
      cell: ({ state, validUntil }) => (
        <span className={`badge ${STATES[state].tone}`}>
          {STATES[state].label}
          {state === 'grace' && validUntil !== null && `, works until ${timeText.minute(validUntil, zone)}`}
        </span>
      ),
    },
    {
      id: 'expires',
      header: 'Expires',
      value: ({ expiresAt }) => expiresAt ?? '9',
      csv: { header: 'expires_at', value: ({ expiresAt }) => expiresAt },
      cell: ({ expiresAt }) =>
        expiresAt === null ? <span className="dim">never</span> : timeText.minute(expiresAt, zone),
    },
    {
      id: 'used',
      header: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      csv: { header: 'last_used_at', value: ({ lastUsedAt }) => lastUsedAt },
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="dim">never</span> : agoText(lastUsedAt, now),
    },
    {
      id: 'created',
      header: 'Created',
      value: ({ createdAt }) => createdAt,
      csv: { header: 'created_at', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt, createdBy }) => (
        <span title={`Created by ${createdBy ?? 'the command line'}`}>{timeText.date(createdAt, zone)}</span>
      ),
    },
    {
      id: 'actions',
      header: '',
      cell: (key) =>
        may('admin') && isInUse(key) ? (
          <span className="row-actions">
            {key.state === 'active' && (
              <Confirm
                label="Rotate"
                title={`Rotate ${key.name}?`}
                confirm="Rotate key"
                danger={false}
                onConfirm={() => rotate.mutate(key)}
              >
                A new key replaces it. The old one works for another 24 hours.
              </Confirm>
            )}
            <Confirm
              label="Revoke"
              title={`Revoke ${key.name}?`}
              confirm="Revoke key"
              onConfirm={() => revoke.mutate(key)}
            >
              The next request with this key is refused. Stored events stay.
            </Confirm>
          </span>
        ) : null,
    },
  ];
  return (
    <>
      {selected.length > 0 && <RevokeSelected keys={selected} onDone={() => setChosen(new Set())} />}
      <DataTable
        label="API keys"
        phone={['select', 'name', 'state', 'used']}
        columns={columns}
        rows={keys}
        rowKey={({ id }) => id}
        csv="keys"
      />
    </>
  );
}
