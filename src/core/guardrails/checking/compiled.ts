import { createHash } from 'node:crypto';
import { type Ctx, listService, type Service } from '../../../context.ts';
import { createFreshCache, type FreshCache } from '../../../lib/fresh-cache.ts';
import { type Guardrail, isRemote } from '../../../lib/guardrails/definition.ts';
import { type CompiledGuardrail, prepareGuardrail } from '../../../lib/guardrails/run-guardrails.ts';
import { enabledGuardrails, type GuardrailRow } from '../queries.ts';
import { openChecks } from '../webhook-links.ts';

/** Changes of another process, such as a second server on the file, are seen after this. */
const TTL_MS = 5_000;
const MAX_PROJECTS = 2_000;

/** The enabled guardrails of a project, ready to run and ready to be sent to clients. */
export type ReadyGuardrails = {
  readonly compiled: readonly CompiledGuardrail[];
  /** Slow: a text took so long that the next ones are checked on another thread. */
  readonly pace: { isSlow: boolean };
  readonly body: string;
  readonly etag: string;
};

const cache: Service<FreshCache<ReadyGuardrails>> = {
  name: 'guardrails.compiled',
  open: (ctx) =>
    createFreshCache({
      ttlMs: TTL_MS,
      maxKeys: MAX_PROJECTS,
      now: ctx.now,
      load: async (projectId) =>
        prepare((await enabledGuardrails(ctx, projectId)).map((row) => toDefinition(ctx, row))),
    }),
};
export const compiledServices = [listService(cache)];

/** The guardrails of a project that look at texts. */
export const readyGuardrails = (ctx: Ctx, projectId: string): Promise<ReadyGuardrails> =>
  ctx.use(cache).get(projectId);

/** Forgets the guardrails of a project after a change. */
export const dropCompiled = (ctx: Ctx, projectId: string): void => ctx.use(cache).drop(projectId);

const toDefinition = (ctx: Ctx, row: GuardrailRow): Guardrail => ({
  name: row.name,
  version: row.version,
  stage: row.stage,
  checks: openChecks(ctx, row.id, row.checks),
  failureMode: row.failureMode,
  environments: row.environments,
  sampleRate: row.sampleRate,
  enabled: row.enabled,
});

function prepare(definitions: readonly Guardrail[]): ReadyGuardrails {
  const guardrails = definitions.map((one) => ({
    ...one,
    // What a judge is told and where a webhook is are no business of clients.
    checks: one.checks.map((check) => (isRemote(check) ? { ...check, config: {} } : check)),
  }));
  const body = JSON.stringify({ guardrails });
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  return { compiled: definitions.map(prepareGuardrail), pace: { isSlow: false }, body, etag };
}
