import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelProvider } from './contract.ts';

/*
 * All code that uses the clients of providers. It is loaded by the first call to a model; in the binary it is
 * compressed until then (`build.ts`). It imports only types of this program.
 */

/** Explicit addresses: without one the libraries would read the environment. */
const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** Where a provider is asked, and as whom. */
export type Access = {
  readonly name: string;
  readonly provider: ModelProvider;
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly fetch: typeof globalThis.fetch;
};

/** The client of a model that speaks the provider's dialect. */
export function clientOf({ name, provider, baseUrl, apiKey, fetch }: Access, model: string): LanguageModelV4 {
  const own = (address: string) => ({ apiKey: apiKey ?? '', fetch, baseURL: baseUrl ?? address });
  switch (provider) {
    case 'openai':
      return createOpenAI(own(ADDRESSES.openai)).chat(model);
    case 'anthropic':
      return createAnthropic(own(ADDRESSES.anthropic)).chat(model);
    case 'google':
      return createGoogleGenerativeAI(own(ADDRESSES.google)).chat(model);
    case 'openai-compatible': {
      const options = { name, fetch, includeUsage: true, supportsStructuredOutputs: true };
      const key = apiKey === null ? {} : { apiKey };
      return createOpenAICompatible({ ...options, ...key, baseURL: baseUrl ?? '' }).chatModel(model);
    }
  }
}
