import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Outbound } from '../outbound/index.ts';
import type { FoundModel } from './models-of.ts';

/** Longest reply of a provider in bytes; a longer one ends the call. */
const MAX_REPLY_BYTES = 8_000_000;

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
  const limits = { timeoutMs: setting.timeoutSeconds * 1_000, maxBytes: MAX_REPLY_BYTES };
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : input;
    const response = await outbound.fetch(url, { ...init, ...limits });
    if (response.ok) onReply();
    return response;
  };
  // The libraries want the type of Bun's `fetch`, of which they call nothing but the function.
  const fetch = guarded as typeof globalThis.fetch;
  const { clientOf } = await import('./providers.ts');
  return clientOf({ ...setting, fetch }, model);
}
