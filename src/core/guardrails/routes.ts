import type { Ctx } from '../../context.ts';
import { badRequest } from '../../errors.ts';
import { namesTag } from '../../http/entity-tag.ts';
import { Reply } from '../../http/reply.ts';
import { publishedAccuracies } from '../../lib/detect/accuracy.ts';
import { JsonText } from '../../lib/json-text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { actorOf } from '../../module.ts';
import { type Callers, ofProjects, route } from '../tenancy/index.ts';
import {
  createGuardrail,
  deleteGuardrail,
  type GuardrailEditor,
  refuseWebhooks,
  updateGuardrail,
} from './change-guardrails.ts';
import { checkText, tryChecks } from './checking/check-text.ts';
import { readyGuardrails } from './checking/compiled.ts';
import {
  checkEndpoint,
  createGuardrailEndpoint,
  deleteGuardrailEndpoint,
  detectorsEndpoint,
  getGuardrailEndpoint,
  guardrailVersionsEndpoint,
  listGuardrailsEndpoint,
  putGuardrailEndpoint,
  sdkCheckEndpoint,
  sdkGuardrailsEndpoint,
  tryEndpoint,
} from './contract.ts';
import { guardrailFiguresEndpoint } from './counts/contract.ts';
import { countsRead } from './counts/read-counts.ts';
import { findGuardrail, listGuardrails, listVersions, toGuardrail } from './queries.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): GuardrailEditor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
  role: caller.role,
});

const WINDOW_MS = 7 * DAY_MS;
const MAX_WINDOW_MS = 400 * DAY_MS;

/** The window of figures. Throws AppError 400 for one that is empty or too long. */
function windowOf(
  ctx: Ctx,
  { start, end = ctx.now() }: { start?: number | undefined; end?: number | undefined },
) {
  const from = start ?? end - WINDOW_MS;
  if (from > end) throw badRequest('start: must not be after end');
  if (end - from > MAX_WINDOW_MS) throw badRequest('start: must not be more than 400 days before end');
  return { from, to: end + 1 };
}

const reads = [
  route(listGuardrailsEndpoint, (ctx, { query: { cursor, limit } }, { scope }) =>
    listGuardrails(ctx, scope.projectId, { cursor, limit }),
  ),
  route(guardrailFiguresEndpoint, async (ctx, { query }, { scope }) => {
    const { groupBy, guardrail, outcome, environment } = query;
    const asked = { ...windowOf(ctx, query), groupBy, guardrail, outcome, environment };
    return (await ctx.db.read(countsRead, ofProjects([scope]), asked)).parse();
  }),
  route(detectorsEndpoint, () => ({ detectors: publishedAccuracies() })),
  route(sdkGuardrailsEndpoint, async (ctx, { request }, { projectId }) => {
    const { body, etag } = await readyGuardrails(ctx, projectId);
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'x-api-key' };
    if (namesTag(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers });
    return new Reply(200, new JsonText(body), headers);
  }),
  route(getGuardrailEndpoint, async (ctx, { params }, { scope }) =>
    toGuardrail(await findGuardrail(ctx, scope.projectId, params.id)),
  ),
  route(guardrailVersionsEndpoint, async (ctx, { params }, { scope }) => ({
    versions: await listVersions(ctx, scope.projectId, params.id),
  })),
];

const checks = [
  route(checkEndpoint, (ctx, { body }, { scope }) => checkText(ctx, scope, body)),
  route(sdkCheckEndpoint, (ctx, { body }, scope) => checkText(ctx, scope, body)),
  route(tryEndpoint, (ctx, { body }, { scope, role }) => {
    refuseWebhooks(role, body.checks);
    return tryChecks(ctx, scope, body);
  }),
];

const writes = [
  route(createGuardrailEndpoint, async (ctx, input, caller) =>
    toGuardrail(await createGuardrail(ctx, editorOf(caller, input), input.body)),
  ),
  route(putGuardrailEndpoint, async (ctx, input, caller) => {
    const change = { id: input.params.id, input: input.body };
    return toGuardrail(await updateGuardrail(ctx, editorOf(caller, input), change));
  }),
  route(deleteGuardrailEndpoint, async (ctx, input, caller) => {
    await deleteGuardrail(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
];

export const guardrailRoutes = [...reads, ...checks, ...writes];
