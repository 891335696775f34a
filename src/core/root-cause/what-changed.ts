import type { Ctx } from '../../context.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { formatInstant, HOUR_MS } from '../../lib/time.ts';
import { type AuditRow, readEntries } from '../audit/index.ts';
import { findDeployments } from '../deployments/index.ts';
import type { Window } from '../events/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { RootCause } from './contract.ts';

/** Actions that can change what calls cost, how they end or how long they take. */
const ACTIONS = [
  'price',
  'prompt',
  'sdk_config',
  'guardrail',
  'project.api_key',
  'project.updated',
  'repricing',
  'model',
] as const;

/** A change shows its effect late: those of the last hours before the window count too. */
const BEFORE_MS = 6 * HOUR_MS;
const MOST = 20;

type Change = RootCause['changes'][number];
type Input = Window & { readonly projectId: string };

/** Changes of a project and its organization between two times, those closest to the start first. */
export const changesRead: ReadOp<Input & { readonly near: number }, Change[]> = {
  name: 'root-cause.changes',
  run(reader, { projectId, from, to, near }) {
    const isOne = ACTIONS.map((action) => `action GLOB '${action}*'`).join(' OR ');
    const rows = readEntries(
      reader,
      [
        ['at >= ?', from],
        ['at < ?', to],
        [`(${isOne}) AND ifnull(project_id, '') IN ('', ?)`, projectId],
      ],
      { order: 'newest first', limit: 200 },
    );
    return rows
      .toSorted((a, b) => Math.abs(a.at - near) - Math.abs(b.at - near))
      .slice(0, MOST)
      .map((row) => toChange(row, nameOf(row.after) ?? nameOf(row.before) ?? namedIn(reader, row)));
  },
};

/** Prices, prompts, settings and keys that were changed around the start of a window. */
export const readChanges = (
  ctx: Ctx,
  { projectId, organizationId }: ProjectScope,
  { from, to }: Window,
): Promise<Change[]> =>
  ctx.db
    .read(
      changesRead,
      { projects: [], organizationId },
      { projectId, from: from - BEFORE_MS, to, near: from },
    )
    .then((found) => found.parse());

/** Deployments around the start of a window, newest first. */
export async function readDeployments(
  ctx: Ctx,
  { projectId }: ProjectScope,
  { from, to }: Window,
): Promise<RootCause['deployments']> {
  const found = await findDeployments(ctx, projectId, { start: from - BEFORE_MS, end: to, limit: MOST });
  return found.map(({ release, environment, at, title, url }) => ({ release, environment, at, title, url }));
}

/** A version or label of something is named after it: `support/triage 2` for the id `prm_… 2`. */
function namedIn(reader: Reader, { subject_id, subject_type }: AuditRow): string | null {
  const [id = '', ...parts] = subject_id?.split(' ') ?? [];
  if (parts.length === 0) return null;
  const [whole] = readEntries(
    reader,
    [
      ['action = ?', `${subject_type?.split('_')[0]}.created`],
      ['subject_id = ?', id],
    ],
    { order: 'newest first', limit: 1 },
  );
  const name = whole && (nameOf(whole.after) ?? nameOf(whole.before));
  return name == null ? null : [name, ...parts].join(' ');
}

function toChange(row: AuditRow, name: string | null): Change {
  return {
    timestamp: formatInstant(row.at),
    action: row.action,
    by: row.actor_email ?? row.actor_id.replace(/^\w+:/, ''),
    subject: [row.subject_type, name ?? row.subject_id].filter((one) => one !== null).join(' '),
  };
}

/** The name of a subject in its state. */
function nameOf(json: string | null): string | null {
  if (json === null) return null;
  const state: unknown = JSON.parse(json);
  if (typeof state !== 'object' || state === null) return null;
  const { name, model } = state as Record<string, unknown>;
  return typeof name === 'string' ? name : typeof model === 'string' ? model : null;
}
