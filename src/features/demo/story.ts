export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Hours of one UTC day, counted back from the day of `now`; `toHour` is excluded. */
export type DayWindow = { readonly daysAgo: number; readonly fromHour: number; readonly toHour: number };

/** A moment counted back from the day of `now`: `hour` o'clock UTC, `daysAgo` days before. */
export type DayMoment = { readonly daysAgo: number; readonly hour: number };

/**
 * The planned events of the demo month (described in `workloads.ts`). All times are UTC and relative to `now`;
 * `dayWindow` and `dayMoment` convert them to epoch milliseconds.
 */
export const DEMO_STORY = {
  /** This model is in no catalogue: its calls stay unpriced until a custom price is set. */
  unpricedModel: { provider: 'acme-internal', model: 'acme-llm-7b' },
  /** Afternoon on which most calls to one provider timed out. */
  timeouts: { daysAgo: 7, fromHour: 13, toHour: 17, provider: 'anthropic', errorCode: 'request_timeout' },
  /** Afternoons on which an import doubled the traffic and one provider refused part of it. */
  rateLimits: {
    daysAgo: [24, 16, 11, 3],
    fromHour: 13,
    toHour: 16,
    provider: 'openai',
    errorCode: 'rate_limit_exceeded',
  },
  /** Releases, oldest first. Staging and dev run each one two days before production. */
  releases: [
    { version: '2.3.0', daysAgo: 400, hour: 9 },
    { version: '2.4.0', daysAgo: 21, hour: 9 },
    { version: '2.5.0', daysAgo: 9, hour: 9 },
    { version: '2.5.1', daysAgo: 2, hour: 9 },
  ],
  /** The release with prompt caching: from then on the cache rate increases until today. */
  promptCaching: { release: '2.4.0', daysAgo: 21, hour: 9 },
  /** The release that moved ticket triage to a model that costs a sixteenth. */
  triageMove: { release: '2.5.0', daysAgo: 9, hour: 9, from: 'gpt-4o', to: 'gpt-4o-mini' },
  /** A new version of a prompt that makes answers longer, more expensive and slower. */
  promptChange: {
    prompt: 'docs-answer',
    fromVersion: '4',
    toVersion: '5',
    daysAgo: 13,
    hour: 11,
    outputFactor: 1.5,
  },
  /** A model whose latency has increased daily since then, to `factor` times the usual value now. */
  slowdown: { provider: 'google', model: 'gemini-2.5-flash', daysAgo: 5, hour: 0, factor: 1.9 },
  environments: ['production', 'staging', 'dev'],
} as const;

/**
 * Epoch milliseconds of a window of the story.
 *
 * @example dayWindow(Date.now(), DEMO_STORY.timeouts)
 */
export function dayWindow(now: number, window: DayWindow): { readonly start: number; readonly end: number } {
  return {
    start: dayMoment(now, { daysAgo: window.daysAgo, hour: window.fromHour }),
    end: dayMoment(now, { daysAgo: window.daysAgo, hour: window.toHour }),
  };
}

/** Epoch milliseconds of a moment of the story. */
export function dayMoment(now: number, moment: DayMoment): number {
  return Math.floor(now / DAY_MS) * DAY_MS - moment.daysAgo * DAY_MS + moment.hour * HOUR_MS;
}

/** Whether `at` is in the afternoon of timeouts. */
export function isTimeoutAfternoon(now: number, at: number): boolean {
  return isWithin(at, dayWindow(now, DEMO_STORY.timeouts));
}

/** Whether `at` is in one of the afternoons of rate limits. */
export function isRateLimitAfternoon(now: number, at: number): boolean {
  const { daysAgo, fromHour, toHour } = DEMO_STORY.rateLimits;
  return daysAgo.some((day) => isWithin(at, dayWindow(now, { daysAgo: day, fromHour, toHour })));
}

/** Whether a release is out in an environment: staging and dev have it two days before production. */
export function isReleased(now: number, at: number, rollout: DayMoment & { environment: string }): boolean {
  const ahead = rollout.environment === 'production' ? 0 : 2 * DAY_MS;
  return dayMoment(now, rollout) <= at + ahead;
}

/** The release that runs in an environment at a time. */
export function releaseAt(now: number, at: number, environment: string): string {
  const live = DEMO_STORY.releases.findLast((release) => isReleased(now, at, { ...release, environment }));
  return live?.version ?? DEMO_STORY.releases[0].version;
}

/** Share of long prompt prefixes that the provider has cached: 0 before the release, then increasing. */
export function cacheHitRate(now: number, at: number): number {
  const since = dayMoment(now, DEMO_STORY.promptCaching);
  return at < since ? 0 : 0.3 + 0.6 * ((at - since) / (now - since));
}

/** Latency of a model at a time, relative to its usual latency. */
export function slowdownFactor(now: number, at: number, model: string): number {
  const { slowdown } = DEMO_STORY;
  const since = dayMoment(now, slowdown);
  if (model !== slowdown.model || at < since) return 1;
  return 1 + (slowdown.factor - 1) * ((at - since) / (now - since));
}

function isWithin(at: number, window: { readonly start: number; readonly end: number }): boolean {
  return at >= window.start && at < window.end;
}
