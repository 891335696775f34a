import type { Ctx } from '../../context.ts';
import { expiredApiKey, invalidApiKey } from '../../errors.ts';
import type { Asked, Guards } from '../../http/route.ts';
import { createOncePer } from '../../lib/once-per.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Callers, KeyScope } from '../tenancy/index.ts';
import { prefixOf } from './api-key.ts';
import { grantOf } from './grants.ts';
import { noteKeyUse } from './note-key-use.ts';
import { createKeyVerifier } from './verify-key.ts';

const MAX_KEYS = 20_000;

/**
 * Guards of endpoints for a project's API key; `key` accepts it only in `x-api-key`. What a key may do is read again
 * after API_KEY_CACHE_TTL_SECONDS, and at once if keys, projects or organizations change in this process. The end of a
 * grace period is checked on every request. Throws AppError 401, 429 or 503.
 */
export function createKeyGuards(ctx: Ctx): Pick<Guards<Callers>, 'key' | 'anyKey'> {
  const verify = createKeyVerifier(ctx);
  const noteUse = createUseNotes(ctx);

  async function admitKey(raw: string, { address, endpoint }: Asked): Promise<KeyScope> {
    if (prefixOf(raw) === null) throw invalidApiKey(hintFor(raw));
    const keyId = await verify(raw, address);
    const grant = await grantOf(ctx, keyId);
    const now = ctx.now();
    if (grant === null) throw invalidApiKey();
    if (grant.validUntil !== null && now >= grant.validUntil) {
      throw grant.expires === null ? invalidApiKey() : expiredApiKey(grant.expires, grant.validUntil);
    }
    await ctx.limits.hit(endpoint.limit === 'fetch' ? 'fetch' : 'ingest', keyId);
    noteUse(keyId, now);
    return grant.scope;
  }
  return {
    key: async (asked) => admitKey(asked.request.headers.get('x-api-key') ?? '', asked),
    anyKey: async (asked) => admitKey(keyAnywhere(asked.request.headers), asked),
  };
}

/** What to send instead of nothing, or of a credential of another kind. */
const hintFor = (raw: string): string =>
  raw === ''
    ? "Send the project's API key in the header x-api-key"
    : `This route takes a project's API key, slk_ and 64 hex digits, in the header x-api-key${raw.startsWith('slt_') ? '; an access token only reads' : ''}`;

/**
 * The key of a request: `x-api-key`, or for clients that cannot send this header, the Bearer token (OpenLLMetry) or the
 * Basic password (Langfuse's secret key). Empty if there is none.
 */
function keyAnywhere(headers: Headers): string {
  const named = headers.get('x-api-key');
  if (named !== null) return named;
  const [scheme, credentials = ''] = (headers.get('authorization') ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer') return credentials;
  if (scheme?.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(credentials, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** Records when a key was last used, at most once a minute, in the background. A failure is only logged. */
function createUseNotes(ctx: Ctx): (keyId: string, now: number) => void {
  const isDue = createOncePer({ windowMs: MINUTE_MS, maxKeys: MAX_KEYS });
  return (keyId, now) => {
    if (!isDue(keyId, now)) return;
    noteKeyUse(ctx, keyId, now).then(undefined, (error: unknown) =>
      ctx.log.debug({ err: error, keyId }, 'the last use of a key was not recorded'),
    );
  };
}
