import type { z } from 'zod';
import type { Ctx } from '../context.ts';

/** A project that the caller has proved it may see. Only guards make one (design.md, One way in). */
export type ProjectScope = {
  readonly projectId: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly organizationId: string;
};

/** The scope of reads that look at a project and at what its organization has of its own, such as prices. */
export const ofProject = ({
  no,
  organizationId,
}: Pick<ProjectScope, 'no' | 'organizationId'>): { projects: number[]; organizationId: string } => ({
  projects: [no],
  organizationId,
});

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

/** Most rights first: see decisions.md, Sign-in and people. */
const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` has the rights of `least`. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

/** A signed-in person. `sessionId` is what the rate limit counts by. */
export type Session = {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
};

/** Who is calling, by the route's `auth`. */
export type Caller = {
  none: null;
  key: KeyScope;
  session: Session;
  /** A member of the organization that owns the project named by `projectId` in the query or `id` in the path. */
  project: Session & { readonly scope: ProjectScope; readonly role: Role };
  /** A member of the organization named by `organizationId` in the query or `id` in the path. */
  organization: Session & { readonly organizationId: string; readonly role: Role };
};
export type Auth = keyof Caller;

/** What a handler is given besides the context and the caller. */
export type RouteInput<Q extends z.ZodType, P extends z.ZodType, B extends z.ZodType> = {
  readonly query: z.output<Q>;
  readonly params: z.output<P>;
  /** Parsed JSON; undefined on a route without a `body` schema, which reads `request` itself. */
  readonly body: z.output<B>;
  readonly request: Request;
  /** Where the request comes from: the peer, or behind TRUSTED_PROXIES what they say; null without a socket. */
  readonly address: string | null;
};

/** One route as data: the mount, its guard, its input, its documentation. */
export type RouteSpec<A extends Auth, Q extends z.ZodType, P extends z.ZodType, B extends z.ZodType> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With hono's `:name` parameters. */
  readonly path: string;
  readonly auth: A;
  /** With `auth: 'key'`: the key may also come in `Authorization`, for clients that know no `x-api-key`. */
  readonly keyInAuthorization?: true;
  /** The least role that may call, where `auth` is `project` or `organization`; `viewer` unless given. */
  readonly role?: A extends 'project' | 'organization' ? Role : never;
  /** Counts each call against its organization's share, where `auth` is `project` or `organization`. */
  readonly limit?: A extends 'project' | 'organization' ? 'ai' : never;
  readonly summary: string;
  /** Left out of the OpenAPI document: the dashboard's page and files. */
  readonly hidden?: true;
  readonly query?: Q;
  readonly params?: P;
  readonly body?: B;
  /** Shape of the success reply, for the OpenAPI document. */
  readonly reply?: z.ZodType;
  /** Status of success, 200 unless given. */
  readonly status?: number;
  /** Returns the reply's body, a Reply, or a Response. Throws AppError. */
  readonly handler: (ctx: Ctx, input: RouteInput<Q, P, B>, caller: Caller[A]) => unknown;
};

export type Route = RouteSpec<Auth, z.ZodType, z.ZodType, z.ZodType>;

/** Checks a route's types and forgets them, so that routes fit in one list. */
export function defineRoute<A extends Auth, Q extends z.ZodType, P extends z.ZodType, B extends z.ZodType>(
  spec: RouteSpec<A, Q, P, B>,
): Route {
  return spec as unknown as Route;
}
