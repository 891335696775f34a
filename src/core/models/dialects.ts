import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Outbound } from '../outbound/index.ts';
import type { FoundModel } from './models-of.ts';

/** Longest reply of a provider in bytes; a longer one ends the call. */
const MAX_REPLY_BYTES = 8_000_000;

/** Explicit addresses: without one the libraries would read the environment. */
const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/**
 * The client of a model. Its requests go through the guarded outbound client, so that they reach internal addresses only
 * where OUTBOUND_ALLOW lists them, and are not redirected.
 * @param onReply called when a successful reply begins
 */
export async function openModel(
  { setting, model }: FoundModel,
  outbound: Outbound,
  onReply: () => void,
): Promise<LanguageModelV4> {
  const { name, provider, timeoutSeconds } = setting;
  const limits = { timeoutMs: timeoutSeconds * 1_000, maxBytes: MAX_REPLY_BYTES };
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : input;
    const response = await outbound.fetch(url, { ...init, ...limits });
    if (response.ok) onReply();
    return response;
  };
  // The libraries want the type of Bun's `fetch`, of which they call nothing but the function.
  const fetch = guarded as typeof globalThis.fetch;
  const apiKey = setting.apiKey ?? '';
  // Each is loaded with the first call: most servers use one of them.
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, fetch, baseURL: setting.baseUrl ?? ADDRESSES.openai }).chat(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, fetch, baseURL: setting.baseUrl ?? ADDRESSES.anthropic }).chat(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey, fetch, baseURL: setting.baseUrl ?? ADDRESSES.google }).chat(
        model,
      );
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = { name, fetch, includeUsage: true, supportsStructuredOutputs: true };
      const key = setting.apiKey === null ? {} : { apiKey: setting.apiKey };
      return createOpenAICompatible({ ...options, ...key, baseURL: setting.baseUrl ?? '' }).chatModel(model);
    }
  }
}
