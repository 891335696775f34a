import type { TokenFields } from '../../../core/pricing/index.ts';
import type { SpanUsage } from './read-usage-details.ts';
import type { Outcome } from './status-of.ts';

/** Errors of Node's clients while a reply is read. */
const CUT = /\bterminated\b|\bECONNRESET\b|premature close/i;

type Reply = { readonly tokens: TokenFields; readonly finish: string | null; readonly hasBegun: boolean };

/**
 * The usage of a call whose reply was cut off, or for whose reply nobody waited. The provider may bill more than the span
 * counts; the usage then says so, as the SDK's does, so that no unknown amount counts as 0.
 */
export function noteCutOff(
  usage: SpanUsage['usage'],
  { status, error_code, error_message }: Outcome,
  { tokens, finish, hasBegun }: Reply,
): SpanUsage['usage'] {
  if (status === 'success' || status === 'rate_limited') return usage;
  const isCounted = tokens.input_tokens + tokens.output_tokens > 0;
  const mayBeBilled =
    hasBegun ||
    isCounted ||
    status === 'timeout' ||
    status === 'cancelled' ||
    CUT.test(`${error_code} ${error_message}`);
  return mayBeBilled && !(isCounted && finish !== null) ? { ...usage, incomplete: true } : usage;
}
