/**
 * Guardrails in the caller's process: the checks of the project run here, so that no text leaves for them. Judges and
 * webhooks run on the server only (`POST /v1/sdk/guardrails/check`); here they count as failed.
 */

import type { CheckedStage } from '../lib/guardrails/definition.ts';
import { guardrailEvent } from '../lib/guardrails/note.ts';
import {
  applicable,
  type CheckResult,
  type CompiledGuardrail,
  runLocalGuardrails,
  type Verdict,
} from '../lib/guardrails/run-guardrails.ts';
import type { Client } from './client.ts';
import { type CreateGuard, REGISTERED } from './guardrails/by-name.ts';
import type { CallGuard } from './guardrails/call-guard.ts';
import { createDefinitions } from './guardrails/definitions.ts';
import { replaceTexts, withFields } from './guardrails/fields.ts';
import { guardStream } from './guardrails/guard-stream.ts';
import { GuardrailError } from './guardrails/guardrail-error.ts';
import { bodyKind, parsed, withBody } from './guardrails/raw-response.ts';

export type { CheckedStage, Outcome } from '../lib/guardrails/definition.ts';
export type { CheckMatch, CheckResult, Verdict } from '../lib/guardrails/run-guardrails.ts';
export type { CallGuard } from './guardrails/call-guard.ts';
export { GuardrailError } from './guardrails/guardrail-error.ts';

export type GuardrailsOptions = {
  /** Only the guardrails of these names. Default: all of the project that are enabled. */
  readonly only?: readonly string[] | undefined;
  /** After so many milliseconds the definitions are fetched again, in the background. Default: 60,000. */
  readonly ttlMs?: number | undefined;
  /**
   * What happens while the definitions were never fetched: `open` lets texts pass unchecked, `closed` blocks them.
   * Default: `open`.
   */
  readonly whenUnknown?: 'open' | 'closed' | undefined;
};

export type CheckOptions = {
  readonly stage?: CheckedStage | undefined;
  /** Model that is or was called, for the event. */
  readonly model?: string | undefined;
};

/** The guardrails of a project in this process. Pass it to a wrapper as the option `guardrails`. */
export type Guardrails = CallGuard & {
  /** Checks a text or messages, records the outcome and returns it. `content` is what to use, null if it is blocked. */
  check<C>(content: C, options?: CheckOptions): Promise<Verdict<C>>;
  /**
   * The text or the messages with redactions.
   * @throws GuardrailError if it is blocked
   */
  apply<C>(content: C, options?: CheckOptions): Promise<C>;
};

const TTL_MS = 60_000;

const UNKNOWN: CheckResult = {
  guardrail: 'guardrails',
  version: 0,
  check: 'pii',
  action: 'block',
  score: 0,
  matches: [],
  error: 'the guardrails were never fetched',
  durationMs: 0,
};

const UNCHECKED: CheckResult = {
  ...UNKNOWN,
  error: 'a stream is not checked where it is read as it came: read the stream of the client itself',
};

/**
 * Creates the guardrails of the client's project. They are fetched at the first check, kept, and used as they were while
 * the server is away. Outcomes are recorded as events of the kind `guardrail` in the current trace, without any text.
 * @example
 * const guardrails = createGuardrails(ledger);
 * const openai = wrapOpenAI(new OpenAI(), ledger, { guardrails });
 */
export function createGuardrails(client: Client, options: GuardrailsOptions = {}): Guardrails {
  const { only, ttlMs = TTL_MS, whenUnknown = 'open' } = options;
  const definitions = createDefinitions(client, ttlMs, only);

  const looking = async (stage: CheckedStage): Promise<readonly CompiledGuardrail[]> => {
    const known = await definitions.get();
    if (known === null && whenUnknown === 'closed') throw new GuardrailError(stage, [UNKNOWN]);
    return applicable(known ?? [], { stage, environment: client.server.environment, sample: Math.random() });
  };

  /** Called at once, because the place in the trace is known only until something is waited for. */
  const createRecord = () => {
    const send = client.server.recorder();
    return (stage: CheckedStage, results: readonly CheckResult[], model?: string): void => {
      for (const name of new Set(results.map(({ guardrail }) => guardrail))) {
        const own = results.filter(({ guardrail }) => guardrail === name);
        send({ ...guardrailEvent(name, stage, own), model });
      }
    };
  };

  const check = async <C>(content: C, { stage = 'input', model }: CheckOptions = {}): Promise<Verdict<C>> => {
    const record = createRecord();
    const verdict = runLocalGuardrails(await looking(stage), content, stage);
    record(stage, verdict.results, model);
    return verdict;
  };
  const apply = async <C>(content: C, options: CheckOptions = {}): Promise<C> => {
    const { action, content: checked, results } = await check(content, options);
    if (action === 'block') throw new GuardrailError(options.stage ?? 'input', results);
    return checked as C;
  };

  const reply: CallGuard['reply'] = (value) =>
    replaceTexts(value, (content) => apply(content, { stage: 'output', model: modelOf(value) }));
  const checkedBody = async (body: string, kind: 'json' | 'text'): Promise<string> => {
    const value = kind === 'json' ? parsed(body) : undefined;
    return value === undefined ? String(await reply(body)) : JSON.stringify(await reply(value));
  };

  return {
    check,
    apply,
    request: (body) =>
      withFields(body, (content) => apply(content, { stage: 'input', model: modelOf(body) })),
    reply,
    async raw(response) {
      const kind = bodyKind(response);
      if (kind === 'bytes') return response;
      if (kind === 'stream') {
        if ((await looking('output')).length === 0) return response;
        await response.body?.cancel();
        throw new GuardrailError('output', [UNCHECKED]);
      }
      return withBody(response, await checkedBody(await response.text(), kind));
    },
    stream(pieces) {
      const record = createRecord();
      return guardStream(pieces, {
        looking: () => looking('output'),
        record: (results) => record('output', results),
        blocked: (results) => new GuardrailError('output', results),
      });
    },
  };
}

// The wrappers' entry looks here for guardrails by name; a class or a constant of it would be another copy.
Object.assign(globalThis, { [REGISTERED]: createGuardrails satisfies CreateGuard });

const modelOf = (value: unknown): string | undefined => {
  const { model } = (typeof value === 'object' && value !== null ? value : {}) as { model?: unknown };
  return typeof model === 'string' ? model : undefined;
};
