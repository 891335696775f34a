import type { EventInput } from '../../core/events/input/contract.ts';
import type { ModelProfile } from './models.ts';
import type { Random } from './random.ts';
import { cacheHitRate } from './story.ts';

/** Typical size of a call, before its actual size is drawn. */
export type UsageSpec = {
  /** Tokens that repeat from call to call and can be cached: instructions, tools, history. */
  readonly prefix: number;
  /** Median of the new tokens in this call. */
  readonly fresh: number;
  /** Median of the visible output tokens. */
  readonly output: number;
};

/** Token counts of one call. `input` includes `cached` and `written`, `output` includes `reasoning`. */
export type Usage = {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
};

/** Most visible output tokens, a limit of the company's software. */
export const MAX_OUTPUT = 4096;
/** Shorter prefixes are not cached by any provider. */
const MIN_CACHED_PREFIX = 1024;
/** Providers cache in steps of this many tokens. */
const CACHE_STEP = 128;

/** Draws the token counts of a call at a time. */
export function drawUsage(
  random: Random,
  spec: UsageSpec,
  call: { readonly profile: ModelProfile; readonly now: number; readonly at: number },
): Usage {
  const { profile, now, at } = call;
  const reasoning = profile.reasoning ? Math.round(random.logNormal(profile.reasoning, 0.6)) : 0;
  const visible = Math.min(MAX_OUTPUT, Math.max(1, Math.round(random.logNormal(spec.output, 0.55))));
  const rate = cacheHitRate(now, at);
  const cacheable = rate > 0 && profile.cache !== 'none' && spec.prefix >= MIN_CACHED_PREFIX;
  const hit = cacheable && random.chance(rate);
  const prefix = Math.floor(spec.prefix / CACHE_STEP) * CACHE_STEP;
  return {
    input: Math.round(spec.prefix + random.logNormal(spec.fresh, 0.5)),
    cached: hit ? prefix : 0,
    written: cacheable && !hit && profile.cache === 'explicit' ? prefix : 0,
    output: visible + reasoning,
    reasoning,
  };
}

/** The event fields of token counts; zero counts of special tokens are omitted, as clients do. */
export function usageFields(usage: Usage): EventInput {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    ...(usage.cached > 0 && { cached_input_tokens: usage.cached }),
    ...(usage.written > 0 && { cache_write_tokens: usage.written }),
    ...(usage.reasoning > 0 && { reasoning_tokens: usage.reasoning }),
  };
}
