/**
 * The priced token buckets. They never overlap: the input of a call is
 * `fresh + cacheRead + cacheWrite5m + cacheWrite1h`, its output `output + reasoning`.
 */
export type UsageBuckets = {
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
};

/** All input tokens of a call. */
export const inputTokens = ({
  fresh,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
}: Omit<UsageBuckets, 'output' | 'reasoning'>): number => fresh + cacheRead + cacheWrite5m + cacheWrite1h;

/** All output tokens of a call. */
export const outputTokens = ({ output, reasoning }: UsageBuckets): number => output + reasoning;
