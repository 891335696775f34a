import type { Client } from '../client.ts';
import { watchOpenAI } from './openai.ts';

export type WrapGroqOptions = {
  /** Provider whose prices apply. Default: `groq`. */
  readonly provider?: string | undefined;
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
  { provider = 'groq' }: WrapGroqOptions = {},
): C => {
  const requestModel = ({ model }: Readonly<Record<string, unknown>>): string | undefined =>
    typeof model === 'string' ? model : undefined;
  return watchOpenAI(groq, { client, provider, includeUsage: false, requestModel }, '/openai/v1');
};
