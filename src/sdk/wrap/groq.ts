import type { Client } from '../client.ts';
import { callGuardOf } from '../guardrails/by-name.ts';
import type { CallGuard } from '../guardrails/call-guard.ts';
import { watchOpenAI } from './openai.ts';

export type WrapGroqOptions = {
  /** Provider whose prices apply. Default: `groq`. */
  readonly provider?: string | undefined;
  /** Checks what calls send and what comes back: names of guardrails, or `createGuardrails` of `spanledger/guardrails`. */
  readonly guardrails?: CallGuard | readonly string[] | undefined;
};

/**
 * Records every call of a `groq-sdk` client: chat, streamed or not, embeddings and audio. The client is changed in place
 * and returned; it returns and throws exactly what it did before. A streamed reply reports its usage by itself.
 * @example
 * const groq = wrapGroq(new Groq(), createClient());
 */
export const wrapGroq = <C extends object>(
  groq: C,
  client: Client,
  { provider = 'groq', guardrails }: WrapGroqOptions = {},
): C => {
  const requestModel = ({ model }: Readonly<Record<string, unknown>>): string | undefined =>
    typeof model === 'string' ? model : undefined;
  const guard = callGuardOf(client, guardrails);
  return watchOpenAI(
    groq,
    { client, provider, includeUsage: false, guardrails: guard, requestModel },
    '/openai/v1',
  );
};
