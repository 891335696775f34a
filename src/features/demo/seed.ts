import type { Ctx } from '../../context.ts';
import { type ParsedEvent, parseEvent } from '../../core/events/index.ts';
import type { EventInput } from '../../core/events/input/contract.ts';
import { guardrailEffects } from '../../core/guardrails/index.ts';
import { noteKeyUse } from '../../core/keys/index.ts';
import { extendScope, type ProjectScope } from '../../core/tenancy/index.ts';
import { recordCounted } from '../../core/usage/index.ts';
import { createRedactor } from '../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';
import { generateDemo } from './generate.ts';
import { DAY_MS } from './story.ts';

/** Options of `seedDemo`. */
export type SeedOptions = {
  /** The project that receives the traffic. */
  readonly scope: ProjectScope & { readonly monthlyEvents: number; readonly monthlyBytes: number };
  /** Number of days before now at which it begins; fractions are allowed. Default 30. */
  readonly days?: number;
  /** See `generateDemo`. */
  readonly seed?: number;
  readonly scale?: number;
  /** Id of the project key that an event is recorded with; without it, events have no key. */
  readonly keyOf?: (event: EventInput) => string | undefined;
  /** Called after each commit with the finished share of the days, 0 to 1. */
  readonly onProgress?: (done: number) => void;
};

/** Batches per commit: few commits, but a short queue of the writer. */
const BATCHES_PER_COMMIT = 10;

/**
 * Fills a project with realistic traffic up to now, through the same function as every other event.
 * @returns how many events were recorded
 * @throws AppError like `recordCounted`
 */
export async function seedDemo(ctx: Ctx, options: SeedOptions): Promise<number> {
  const now = ctx.now();
  const { scope, days = 30, seed = 1, scale = 1, keyOf, onProgress = () => {} } = options;
  const context = { redact: createRedactor(DEFAULT_REDACT_KEYS), storePrompts: false, now };
  let recorded = 0;
  /** When each key was last used: events come in order of time. */
  const uses = new Map<string, number>();
  let waiting: { keyId?: string; events: ParsedEvent[] }[] = [];

  const parse = (input: EventInput): ParsedEvent => {
    const parsed = parseEvent(input, context);
    if (!parsed.ok) throw new Error(`the demo generated an invalid event: ${parsed.error}`);
    return parsed.event;
  };

  const commit = async (): Promise<void> => {
    const replies = await Promise.all(
      waiting.map(({ events, ...key }) =>
        recordCounted(ctx, extendScope(scope, key), events, { effects: guardrailEffects(scope, events) }),
      ),
    );
    recorded += replies.reduce((sum, { accepted, duplicates }) => sum + accepted - duplicates, 0);
    for (const { keyId, events } of waiting)
      if (keyId !== undefined) uses.set(keyId, events.at(-1)?.ts ?? now);
    const reached = waiting.at(-1)?.events.at(-1)?.ts ?? now;
    waiting = [];
    onProgress(Math.min(1, Math.max(0, 1 - (now - reached) / (days * DAY_MS))));
  };

  for (const batch of generateDemo({ now, days, seed, scale })) {
    for (const [keyId, own] of Map.groupBy(batch, (input) => keyOf?.(input)))
      waiting.push({ ...(keyId === undefined ? {} : { keyId }), events: own.map(parse) });
    if (waiting.length >= BATCHES_PER_COMMIT) await commit();
  }
  await commit();
  await Promise.all([...uses].map(([keyId, at]) => noteKeyUse(ctx, keyId, at)));
  return recorded;
}
