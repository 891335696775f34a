/** The chain of operator actions that concern no organization. */
export const INSTALLATION = 'installation';

/**
 * The actor. `id` is a user's id, an access token's id, `operator:<login name>`, or `system:<job>`. `email` is the
 * user's, and for a token that of the user who created it.
 */
export type AuditActor = {
  readonly kind: 'user' | 'token' | 'operator' | 'system';
  readonly id: string;
  readonly email: string | null;
};

/** A SELECT that returns the state of one subject as JSON text, or no row; see `defineSubject`. */
export type StateQuery = { readonly sql: string; readonly args: readonly string[] };

/** An entry for the writer, which adds its position in the chain and the states of its subject. */
export type AuditDraft = {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: AuditActor;
  /** `noun.verb_past`. */
  readonly action: string;
  /** The changed subject: type (`api_key`), id, and the query for its state; null if the states are given. */
  readonly subject: { readonly type: string; readonly id: string; readonly state: StateQuery | null } | null;
  /** JSON text, or null. Used if the subject has no `state`. */
  readonly before: string | null;
  readonly after: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
};

/** The columns of `audit_log` that the hash covers, in its order. */
export const HASHED_COLUMNS = [
  'organization_id',
  'seq',
  'id',
  'at',
  'actor_kind',
  'actor_id',
  'actor_email',
  'project_id',
  'action',
  'subject_type',
  'subject_id',
  'before',
  'after',
  'address',
  'user_agent',
  'previous_hash',
] as const;

/** The columns of `audit_log`. */
export const ENTRY_COLUMNS = [...HASHED_COLUMNS, 'hash'] as const;

/** A row of `audit_log`. */
export type AuditRow = Readonly<
  Record<'seq' | 'at', number> &
    Record<'organization_id' | 'id' | 'actor_id' | 'action' | 'previous_hash' | 'hash', string> &
    Record<'actor_email' | 'project_id' | 'subject_type' | 'subject_id', string | null> &
    Record<'before' | 'after' | 'address' | 'user_agent', string | null> & { actor_kind: AuditActor['kind'] }
>;

/** The values of `HASHED_COLUMNS` of one row. */
export type HashedValues = readonly (string | number | null)[];
