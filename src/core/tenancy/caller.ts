import type { Role } from './contract.ts';
import type { OrganizationScope, ProjectScope } from './scope.ts';

/** A verified project key, with the project settings that ingest needs. */
export type KeyScope = ProjectScope & {
  readonly keyId: string;
  readonly monthlyEvents: number;
  readonly monthlyBytes: number;
  readonly storePrompts: boolean;
  readonly redactKeys: readonly string[];
  readonly sampleRate: number;
  readonly flushIntervalMs: number;
  readonly maxBatchSize: number;
  readonly configVersion: number;
};

/** A person who calls. `tokenId` is the access token of theirs that the request carries; unset in a login session. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly tokenId?: string;
};

/** A signed-in user. The rate limit counts by `sessionId`. */
export type LoginSession = Omit<Person, 'tokenId'> & { readonly sessionId: string };

/** A person who calls, and what they reach: a token its organization or one project, a login session all of theirs. */
type Reader = Person & {
  readonly reach: { readonly organizationId: string; readonly projectId: string | null } | null;
};

/** A member of the organization that owns the project named by `projectId` in the query or `id` in the path. */
type ProjectMember = Person & { readonly scope: ProjectScope; readonly role: Role };

/** A member of the organization named by `organizationId` in the query or `id` in the path. */
type OrganizationMember = Person & OrganizationScope & { readonly role: Role };

/** The caller, by the endpoint's `auth`. */
export type Callers = {
  none: null;
  key: KeyScope;
  anyKey: KeyScope;
  session: LoginSession;
  reader: Reader;
  project: ProjectMember;
  organization: OrganizationMember;
};
