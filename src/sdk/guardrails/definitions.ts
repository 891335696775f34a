import { type Guardrail, isRemote } from '../../lib/guardrails/definition.ts';
import { type CompiledGuardrail, compileGuardrail } from '../../lib/guardrails/run-guardrails.ts';
import type { Client } from '../client.ts';
import { deadline } from '../runtime.ts';

/** The first fetch holds up its caller no longer than this. */
const FIRST_WAIT_MS = 2_000;
/** After a failure it is not tried again for this long. */
const RETRY_MS = 5_000;

/** The guardrails of the project, as they were last fetched. */
export type Definitions = {
  /** Null: they were never fetched, because the server cannot be reached. */
  get(): Promise<readonly CompiledGuardrail[] | null>;
};

const isGuardrails = (body: unknown): body is { readonly guardrails: readonly Guardrail[] } =>
  typeof body === 'object' && body !== null && Array.isArray((body as { guardrails?: unknown }).guardrails);

/**
 * A judge or a webhook cannot be asked here. As a failed check it blocks if the guardrail's failure mode is `closed`;
 * otherwise it is left out. A guardrail of a newer server that this version cannot read is left out too.
 */
function compiled(client: Client, guardrails: readonly Guardrail[], told: Set<string>): CompiledGuardrail[] {
  const tell = (about: string, message: string): void => {
    if (told.has(about)) return;
    told.add(about);
    client.report({ kind: 'configuration', events: 0, message });
  };
  return guardrails.flatMap((guardrail) => {
    const { name, failureMode } = guardrail;
    const local = guardrail.checks.filter((check) => !isRemote(check));
    if (local.length < guardrail.checks.length) {
      const outcome =
        failureMode === 'closed' ? 'each text is blocked, since it fails closed' : 'it is not asked here';
      tell(
        name,
        `the guardrail ${name} has a judge or a webhook, which runs on the server only: ${outcome}; call POST /v1/sdk/guardrails/check for it`,
      );
    }
    const checks = failureMode === 'closed' ? guardrail.checks : local;
    try {
      return checks.length === 0 ? [] : [compileGuardrail({ ...guardrail, checks })];
    } catch {
      tell(`${name} `, `the guardrail ${name} cannot be used by this version of the SDK; update it`);
      return [];
    }
  });
}

/**
 * Keeps the definitions of a project: fetched at the first check, served from memory, and fetched again in the
 * background when they are older than `ttlMs`. While the server is away, the old ones are used.
 * @param only those of these names; undefined: all
 */
export function createDefinitions(
  client: Client,
  ttlMs: number,
  only: readonly string[] | undefined,
): Definitions {
  let known: readonly CompiledGuardrail[] | null = null;
  let etag: string | null = null;
  let freshUntil = 0;
  let running: Promise<void> | null = null;
  let isReported = false;
  const told = new Set<string>();

  /** A misspelt name would look as if something was checked. */
  const tellMissing = (found: readonly Guardrail[]): void => {
    const missing = (only ?? []).filter((name) => !found.some((one) => one.name === name));
    const list = missing.join(', ');
    if (list === '' || told.has(`missing ${list}`)) return;
    told.add(`missing ${list}`);
    const message = `the project has no enabled guardrail ${list}, so nothing is checked for it`;
    client.report({ kind: 'configuration', events: 0, message });
  };

  const load = async (): Promise<void> => {
    const { answer } = await client.server.read('/v1/sdk/guardrails', etag);
    if (answer.status === 200 && isGuardrails(answer.body)) {
      const { guardrails } = answer.body;
      const wanted = guardrails.filter(({ name }) => only?.includes(name) !== false);
      known = compiled(client, wanted, told);
      tellMissing(wanted);
      etag = answer.etag;
    } else if (answer.status !== 304) {
      freshUntil = performance.now() + RETRY_MS;
      if (isReported) return;
      isReported = true;
      const state = known === null ? 'texts are not checked' : 'those in memory are used';
      const reason = answer.status === null ? answer.reason : `status ${answer.status}`;
      client.report({
        kind: 'unreachable',
        events: 0,
        message: `the guardrails could not be fetched (${reason}); ${state}`,
      });
      return;
    }
    isReported = false;
    freshUntil = performance.now() + ttlMs;
  };
  const refresh = (): Promise<void> => {
    running ??= load().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    async get() {
      if (performance.now() < freshUntil) return known;
      const loading = refresh();
      if (known !== null) return known;
      const { passed, clear } = deadline(FIRST_WAIT_MS, false);
      await Promise.race([loading, passed]);
      clear();
      return known;
    },
  };
}
