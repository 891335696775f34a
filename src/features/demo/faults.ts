import type { EventStatus } from '../../core/events/contract.ts';
import type { ModelProfile } from './models.ts';
import type { Random } from './random.ts';
import { DEMO_STORY, isRateLimitAfternoon, isTimeoutAfternoon } from './story.ts';

/** Why a call or a span failed. */
export type Failure = {
  readonly status: Exclude<EventStatus, 'success'>;
  readonly error_code: string;
  readonly error_message: string;
};

/** A kind of failure: its latency, and whether the provider bills the input. */
export type Fault = Failure & {
  readonly latencyMs: number;
  /** Standard deviation of the logarithm of the latency. */
  readonly sigma: number;
  readonly billed?: true;
  /** Set if only one provider fails in this way. */
  readonly provider?: string;
};

/** Share of calls that fail on an ordinary day. */
const STEADY_RATE = 0.013;
const IN_TIMEOUT_AFTERNOON = 0.65;
const IN_RATE_LIMIT_AFTERNOON = 0.38;

const TIMEOUT: Fault = {
  status: 'timeout',
  error_code: DEMO_STORY.timeouts.errorCode,
  error_message: 'Request timed out after 30000 ms.',
  latencyMs: 30_000,
  sigma: 0.001,
};
const RATE_LIMITED: Fault = {
  status: 'rate_limited',
  error_code: DEMO_STORY.rateLimits.errorCode,
  error_message: '429 Rate limit reached: tokens per minute. Please try again in 1.2s.',
  latencyMs: 160,
  sigma: 0.3,
};
const INVALID_KEY: Fault = {
  status: 'error',
  error_code: 'invalid_api_key',
  error_message: '401 Incorrect API key provided.',
  latencyMs: 90,
  sigma: 0.2,
};

const STEADY: readonly (readonly [Fault, number])[] = [
  [
    {
      status: 'error',
      error_code: 'server_error',
      error_message: '500 The server had an error while processing your request.',
      latencyMs: 1800,
      sigma: 0.7,
    },
    9,
  ],
  [
    {
      status: 'error',
      error_code: 'overloaded_error',
      error_message: '529 Overloaded',
      provider: 'anthropic',
      latencyMs: 420,
      sigma: 0.4,
    },
    5,
  ],
  [
    {
      status: 'error',
      error_code: 'context_length_exceeded',
      error_message: '400 The input is longer than the context window of the model.',
      latencyMs: 240,
      sigma: 0.3,
    },
    7,
  ],
  [
    {
      status: 'error',
      error_code: 'content_filter',
      error_message: 'The response was stopped by the content filter.',
      latencyMs: 900,
      sigma: 0.3,
      billed: true,
    },
    4,
  ],
  [TIMEOUT, 4],
  [RATE_LIMITED, 4],
  [INVALID_KEY, 2],
];

/** Decides whether a call fails, and how: the story's incidents first, then the steady rate. */
export function drawFault(
  random: Random,
  call: { readonly now: number; readonly at: number; readonly profile: Pick<ModelProfile, 'provider'> },
): Fault | undefined {
  const { now, at, profile } = call;
  if (profile.provider === DEMO_STORY.timeouts.provider && isTimeoutAfternoon(now, at)) {
    if (random.chance(IN_TIMEOUT_AFTERNOON)) return TIMEOUT;
  }
  if (profile.provider === DEMO_STORY.rateLimits.provider && isRateLimitAfternoon(now, at)) {
    if (random.chance(IN_RATE_LIMIT_AFTERNOON)) return RATE_LIMITED;
  }
  if (!random.chance(STEADY_RATE)) return undefined;
  return random.weighted(
    STEADY.filter(([fault]) => (fault.provider ?? profile.provider) === profile.provider),
  );
}
