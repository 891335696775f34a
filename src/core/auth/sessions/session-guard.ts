import type { Ctx } from '../../../context.ts';
import { AppError, notAMember, notAuthenticated } from '../../../errors.ts';
import type { Asked, Guards } from '../../../http/route.ts';
import {
  admitToken,
  readAccessToken,
  requireOrganizationReach,
  requireProjectReach,
} from '../../access-tokens/index.ts';
import {
  admit,
  type Callers,
  checkedOrganization,
  extendScope,
  type LoginSession,
  namedId,
  type Person,
} from '../../tenancy/index.ts';
import { isRecent, signInAgain } from '../reauthenticate/recent.ts';
import { authOf } from '../service.ts';
import { readBearer } from './bearer-token.ts';
import { readSessionCookie, requireSameOrigin } from './cookie.ts';
import type { OpenSession } from './sessions.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longer values are no ids: they are not looked up and not cached. */
const MAX_ID_LENGTH = 100;

/**
 * Guards of endpoints for people, who send a bearer token or, from a page of this server, the session cookie. Machines
 * send an access token where the endpoint's scopes admit one. If there is an `Authorization` header, the cookie is
 * ignored; a change by cookie must come from this server's own pages. The checks are in this order: who calls (401),
 * with which scope (403), for what (400), whether they may (403), and for `recent` endpoints
 * whether they are at the keyboard (403). The first 403 is the same for another organization's
 * project, a missing one and a deleted one. All guards may throw AppError 429.
 */
export function createSessionGuards(
  ctx: Ctx,
): Pick<Guards<Callers>, 'session' | 'reader' | 'project' | 'organization'> {
  const { sessions } = authOf(ctx);
  return {
    session: async (asked) => {
      const token = readAccessToken(asked.request);
      // Refuses every token, because no scope admits to these endpoints.
      if (token !== null) await admitToken(ctx, token, asked);
      const open = await findSession(ctx, asked.request);
      requireRecent(ctx, asked, open);
      return toLoginSession(open);
    },
    reader: async (asked) => {
      const { person, reach } = await identify(ctx, asked);
      return { ...person, reach };
    },
    project: async (asked) => {
      const { person, reach, requireProof } = await identify(ctx, asked);
      const projectId = namedId('project', asked);
      if (reach !== null) requireProjectReach(reach, projectId);
      const tooLong = projectId.length > MAX_ID_LENGTH;
      const membership = tooLong ? null : await sessions.membership(person.userId, projectId);
      if (membership === null) throw notAMember();
      const { scope, role } = membership;
      if (reach !== null && reach.organizationId !== scope.organizationId) throw notAMember();
      await admit(ctx, asked.endpoint, { role, organizationId: scope.organizationId });
      requireProof();
      return { ...person, scope, role };
    },
    organization: async (asked) => {
      const { person, reach, requireProof } = await identify(ctx, asked);
      const organizationId = namedId('organization', asked);
      if (reach !== null) requireOrganizationReach(reach);
      if (reach !== null && reach.organizationId !== organizationId) throw notAMember();
      const tooLong = organizationId.length > MAX_ID_LENGTH;
      const role = tooLong ? null : await sessions.roleIn(person.userId, organizationId);
      if (role === null) throw notAMember();
      await admit(ctx, asked.endpoint, { role, organizationId });
      requireProof();
      return extendScope(checkedOrganization(organizationId), { ...person, role });
    },
  };
}

/** The login session of a request to an endpoint without `auth`, which works without one too; null without one. */
export async function sessionIfAny(ctx: Ctx, request: Request): Promise<LoginSession | null> {
  try {
    return toLoginSession(await findSession(ctx, request));
  } catch (error) {
    if (error instanceof AppError && [401, 403].includes(error.status)) return null;
    throw error;
  }
}

/** Who calls, and for an access token what it reaches. */
type Identified = {
  readonly person: Person;
  readonly reach: Awaited<ReturnType<typeof admitToken>>['reach'] | null;
  /** Throws AppError 403 if the endpoint needs a recent sign-in and the login session has none. */
  readonly requireProof: () => void;
};

async function identify(ctx: Ctx, asked: Asked): Promise<Identified> {
  const token = readAccessToken(asked.request);
  // No scope of a token admits to an endpoint that needs a recent sign-in.
  if (token !== null) return { ...(await admitToken(ctx, token, asked)), requireProof: () => {} };
  const open = await findSession(ctx, asked.request);
  return { person: toLoginSession(open), reach: null, requireProof: () => requireRecent(ctx, asked, open) };
}

function requireRecent(ctx: Ctx, { endpoint }: Asked, open: OpenSession): void {
  if (endpoint.recent === true && !isRecent(open, ctx.now())) throw signInAgain();
}

const toLoginSession = ({ sessionId, userId, email, name }: OpenSession): LoginSession => ({
  sessionId,
  userId,
  email,
  name,
});

async function findSession(ctx: Ctx, request: Request): Promise<OpenSession> {
  const authorization = request.headers.get('authorization');
  const cookie = authorization === null ? readSessionCookie(ctx, request) : null;
  const token = readBearer(cookie === null ? authorization : `Bearer ${cookie}`, ctx.secret);
  const session = token === null ? null : await authOf(ctx).sessions.find(token);
  if (session === null) throw notAuthenticated(hintFor(request));
  if (cookie !== null && !SAFE_METHODS.has(request.method)) requireSameOrigin(ctx, request);
  await ctx.limits.hit('dashboard', session.sessionId);
  return session;
}

/** What to send instead of nothing, or of an API key; undefined for a login session that has ended. */
function hintFor({ headers }: Request): string | undefined {
  const key = headers.get('x-api-key') ?? /^bearer +(slk_.*)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (key !== undefined)
    return 'API keys only write events; this route takes a login session or an access token (slt_…) as Authorization: Bearer …';
  if (headers.has('authorization') || headers.has('cookie')) return undefined;
  return 'Send a login session or an access token as Authorization: Bearer …';
}
