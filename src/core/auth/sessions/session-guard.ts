import type { Ctx } from '../../../context.ts';
import { notAMember, notAuthenticated } from '../../../errors.ts';
import type { Guards } from '../../../http/server.ts';
import { authOf } from '../service.ts';
import { readBearer } from './bearer-token.ts';
import { readSessionCookie, requireSameOrigin } from './cookie.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Longer than any id: not looked up, not remembered. */
const MAX_ID_LENGTH = 100;

/**
 * The guards of routes for people, with a bearer token or, in a page of this server, the session cookie.
 * Where there is an `Authorization` header the cookie is not looked at; a change by cookie has to come from
 * this server's own pages. `session` throws AppError 401, 403 or 429, the others 403, which is the same for
 * another's project, a missing one and one being deleted.
 */
export function createSessionGuard(ctx: Ctx): Pick<Guards, 'session' | 'project' | 'organization'> {
  const { sessions } = authOf(ctx);
  return {
    session: async (request) => {
      const authorization = request.headers.get('authorization');
      const cookie = authorization === null ? readSessionCookie(ctx, request) : null;
      const token = readBearer(cookie === null ? authorization : `Bearer ${cookie}`, ctx.secret);
      const session = token === null ? null : await sessions.find(token);
      if (session === null) throw notAuthenticated();
      if (cookie !== null && !SAFE_METHODS.has(request.method)) requireSameOrigin(ctx, request);
      await ctx.limits.hit('dashboard', session.sessionId);
      const { sessionId, userId, email, name } = session;
      return { sessionId, userId, email, name };
    },
    project: async (session, projectId) => {
      const tooLong = projectId.length > MAX_ID_LENGTH;
      const membership = tooLong ? null : await sessions.membership(session.userId, projectId);
      if (membership === null) throw notAMember();
      return { ...session, ...membership };
    },
    organization: async (session, organizationId) => {
      const tooLong = organizationId.length > MAX_ID_LENGTH;
      const role = tooLong ? null : await sessions.roleIn(session.userId, organizationId);
      if (role === null) throw notAMember();
      return { ...session, organizationId, role };
    },
  };
}
