import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Fragment, type JSX, useState } from 'react';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import type { AuditEntry, listAuditEndpoint } from './contract.ts';

const auditApi = endpointOf<typeof listAuditEndpoint>('GET /v1/audit');

/** Groups of actions, by the start of their names. */
const ACTIONS = [
  { value: '', label: 'All actions' },
  { value: 'user.', label: 'Sign-ins and accounts' },
  { value: 'user.sign_in_failed', label: 'Failed sign-ins' },
  { value: 'member.', label: 'Members' },
  { value: 'invitation.', label: 'Invitations' },
  { value: 'project.', label: 'Projects and keys' },
  { value: 'organization.', label: 'Organization' },
];

/** Who changed what in the organization, newest first, with values before and after. */
export function AuditPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { search } = useScope('audit');
  const setSearch = useSetSearch<'audit'>();
  const pages = usePages(
    auditApi,
    { query: { organizationId, actor: search.q, action: search.action } },
    { enabled: organizationId !== '' },
  );
  return (
    <Page
      title="Audit log"
      detail={<span className="dim">of {organizationName}</span>}
      scoped={false}
      actions={
        may('admin') && (
          <Button
            component="a"
            href={`/v1/audit/export?organizationId=${encodeURIComponent(organizationId)}`}
            download
            variant="default"
            leftSection={<Icon name="download" size={14} />}
          >
            CSV
          </Button>
        )
      }
    >
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ q: String(new FormData(event.currentTarget).get('q') ?? '').trim() || undefined });
        }}
      >
        <NativeSelect
          aria-label="Actions"
          size="xs"
          data={ACTIONS}
          value={search.action ?? ''}
          onChange={({ currentTarget }) => setSearch({ action: currentTarget.value || undefined })}
        />
        <TextInput
          name="q"
          aria-label="Actor"
          placeholder="Actor: id or email"
          size="xs"
          w={260}
          defaultValue={search.q ?? ''}
        />
        <Button type="submit" variant="default">
          Filter
        </Button>
      </form>
      <Paged
        pages={pages}
        rowsOf={(page) => page.entries}
        more="Older entries"
        empty={<Notice icon="log" title="No entries" />}
      >
        {(entries) => <Log entries={entries} />}
      </Paged>
    </Page>
  );
}

function Log({ entries }: { entries: readonly AuditEntry[] }): JSX.Element {
  const { zone } = useScope('audit');
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="table-scroll" tabIndex={0} aria-label="Audit log">
      <table className="table">
        <thead>
          <tr>
            <th>Time</th>
            <th>Action</th>
            <th>Actor</th>
            <th className="wide">Subject</th>
            <th>Address</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Fragment key={entry.id}>
              <tr>
                <td className="num">
                  <button
                    type="button"
                    className="sort"
                    aria-expanded={open === entry.id}
                    onClick={() => setOpen(open === entry.id ? null : entry.id)}
                  >
                    <span className={open === entry.id ? undefined : 'folded'}>
                      <Icon name="chevron" size={12} />
                    </span>
                    {timeText.second(entry.timestamp, zone)}
                  </button>
                </td>
                <td className="mono">{entry.action}</td>
                <td title={entry.actor.id}>
                  {entry.actor.email ?? entry.actor.id}
                  {entry.actor.kind === 'token' && <span className="badge badge-after">token</span>}
                </td>
                <td className="wide mono">
                  {entry.subject === null ? '–' : `${entry.subject.type} ${entry.subject.id}`}
                </td>
                <td>{entry.source.address ?? <span className="dim">–</span>}</td>
              </tr>
              {open === entry.id && (
                <tr className="audit-detail">
                  <td colSpan={5}>
                    <Changes before={entry.before} after={entry.after} />
                    {entry.source.userAgent !== null && <div className="dim">{entry.source.userAgent}</div>}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const fieldsOf = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
const shown = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** The fields that differ, as they were and as they are. */
function Changes({ before, after }: { before: unknown; after: unknown }): JSX.Element {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => shown(was[name]) !== shown(is[name]),
  );
  if (names.length === 0) return <span className="dim">No fields changed.</span>;
  return (
    <dl className="changes">
      {names.map((name) => (
        <div key={name}>
          <dt className="mono dim">{name}</dt>
          <dd className="mono">
            {name in was && <del>{shown(was[name])}</del>} {name in is && <ins>{shown(is[name])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
