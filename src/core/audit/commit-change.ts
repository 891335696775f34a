import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import type { SqlStatement, SqlValue } from '../../db/connection.ts';
import { newId } from '../../db/new-id.ts';
import { createRedactor } from '../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';
import type { Actor } from '../../module.ts';
import { commitOp } from './commit-op.ts';
import type { AuditActor, AuditDraft } from './entry.ts';
import type { Subject } from './subject.ts';

/** What to audit of a change. */
export type AuditNote = {
  /** `noun.verb_past`, such as `project.api_key_rotated`. */
  readonly action: string;
  /** Owner of the chain: an organization's id, or `INSTALLATION`. */
  readonly organizationId: string;
  readonly projectId?: string | null;
  /** The changed row; its state is read in the transaction, before and after. */
  readonly subject?: { readonly of: Subject; readonly id: string | readonly string[] };
  /** The states, if they are not those of a single row: plain data without secrets. Not together with `subject`. */
  readonly before?: object | null;
  readonly after?: object | null;
};

/**
 * Runs drizzle statements and adds their audit entries, in one transaction: a change that cannot be audited does not
 * happen. If none of the given statements changes a row, no entry is added. Without statements the entries are always
 * added.
 * @returns how many rows each statement changed (or returned)
 * @throws the store's error for a violated constraint; see `brokenConstraint`
 */
export async function commitChange(
  ctx: Ctx,
  actor: Actor,
  change: { readonly statements: readonly BatchItem<'sqlite'>[]; readonly audit: readonly AuditNote[] },
): Promise<number[]> {
  const statements = change.statements.map(toStatement);
  const notes = change.audit.flatMap((note) => [note, ...copilotNotes(actor, note)]);
  const drafts = notes.map((note) => draftEntry(ctx, actor, note));
  const { changes, heads } = await ctx.db.writer.write(commitOp, { statements, drafts });
  // The log is outside the file, so somebody who rebuilds the chain cannot change the hashes in it.
  for (const head of heads) ctx.log[actor.kind === 'user' ? 'info' : 'debug'](head, 'audited');
  return changes;
}

/** The entry of a change that an answer or a recommendation prepared: `alert.created` also is `copilot.alert_created`. */
function copilotNotes(actor: Actor, note: AuditNote): AuditNote[] {
  if (actor.kind === 'system' || actor.copilot !== true || note.action.startsWith('copilot.')) return [];
  return [{ ...note, action: `copilot.${note.action.replace('.', '_')}` }];
}

const redact = createRedactor(DEFAULT_REDACT_KEYS);
const MAX_USER_AGENT = 500;

/** An entry for a write operation that adds it with `createAuditAppender`. */
export function draftEntry(ctx: Pick<Ctx, 'now'>, actor: Actor, note: AuditNote): AuditDraft {
  const at = ctx.now();
  const { subject } = note;
  const ids = subject === undefined ? [] : [subject.id].flat();
  const source = actor.kind === 'system' ? undefined : actor.source;
  return {
    id: newId('aud', at),
    at,
    organizationId: note.organizationId,
    projectId: note.projectId ?? null,
    actor: toAuditActor(actor),
    action: note.action,
    subject:
      subject === undefined
        ? null
        : { type: subject.of.type, id: ids.join(' '), state: subject.of.stateOf(ids) },
    before: toText(note.before),
    after: toText(note.after),
    address: source?.address ?? null,
    userAgent: source?.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  };
}

/** The actor as the audit log stores it. */
export function toAuditActor(actor: Actor): AuditActor {
  if (actor.kind === 'user') {
    const { userId, email, tokenId } = actor;
    return tokenId === undefined
      ? { kind: 'user', id: userId, email }
      : { kind: 'token', id: tokenId, email };
  }
  const { kind, name = 'unknown' } = actor;
  return { kind, id: `${kind}:${name}`, email: null };
}

/** Subjects show only named columns; states that are passed as data are redacted. */
function toText(state: object | null | undefined): string | null {
  return state === null || state === undefined ? null : JSON.stringify(redact(state));
}

function toStatement(item: BatchItem<'sqlite'>): SqlStatement {
  const { sql, params } = (item as unknown as { toSQL(): { sql: string; params: unknown[] } }).toSQL();
  return { sql, args: params as SqlValue[] };
}
