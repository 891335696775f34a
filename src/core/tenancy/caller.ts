import type { Role } from './contract.ts';
import type { OrganizationScope, ProjectScope } from './scope.ts';

/** A project key that was verified, with what ingest needs to know of its project. */
export type KeyScope = ProjectScope & {
  readonly keyId: string;
  readonly monthlyEvents: number;
  readonly storePrompts: boolean;
  readonly redactKeys: readonly string[];
  readonly sampleRate: number;
  readonly flushIntervalMs: number;
  readonly maxBatchSize: number;
  readonly configVersion: number;
};

/** A signed-in person. `sessionId` is what the rate limit counts by. */
export type LoginSession = {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
};

/** A member of the organization that owns the project named by `projectId` in the query or `id` in the path. */
type ProjectMember = LoginSession & { readonly scope: ProjectScope; readonly role: Role };

/** A member of the organization named by `organizationId` in the query or `id` in the path. */
type OrganizationMember = LoginSession & OrganizationScope & { readonly role: Role };

/** Who is calling, by the endpoint's `auth`. */
export type Callers = {
  none: null;
  key: KeyScope;
  anyKey: KeyScope;
  session: LoginSession;
  project: ProjectMember;
  organization: OrganizationMember;
};
