import { expect, test } from 'bun:test';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { STARTER_RULES } from '../../../src/features/alerts/pages/starter-rules.ts';
import type { AlertPreview } from '../../../src/features/alerts/preview/contract.ts';
import { generateDemo } from '../../../src/features/demo/generate.ts';
import { DEMO_STORY } from '../../../src/features/demo/story.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW } from '../../helpers/app.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { ask } from './support.ts';

/** The story of the demo plants its troubles in the last 25 days: traffic before is ordinary. */
const QUIET_END = TEST_NOW - 26 * DAY_MS;
const DAYS = 30;
/** The largest change looks a week back. */
const WARM_UP_DAYS = 8;

test('on 30 days of ordinary traffic the rules that are offered to a new project fire at most once', async () => {
  const world = await openTestApp({ now: QUIET_END, rateLimits: false, checkReplies: false });
  try {
    await world.app.act(setPlan, { organization: world.seed.organizationId, plan: 'scale' });
    const days = DAYS + WARM_UP_DAYS + 26;
    for (const batch of generateDemo({ now: TEST_NOW, days, seed: TEST_SEED, scale: 3 })) {
      // Its model without a price is planted too.
      const events = batch.filter(
        ({ provider, timestamp }) =>
          provider !== DEMO_STORY.unpricedModel.provider && Date.parse(timestamp ?? '') < QUIET_END,
      );
      if (events.length === 0) break;
      expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
    }
    const fired: Record<string, number> = {};
    for (const { why: _, ...rule } of STARTER_RULES) {
      const { status, body } = await ask<AlertPreview>(world, 'POST', `alerts/preview?days=${DAYS}`, rule);
      expect([status, body.note]).toEqual([200, null]);
      // A rule that sees nothing cannot fire.
      expect(body.series.some(({ points }) => points.some((value) => value !== null))).toBe(true);
      fired[rule.name] = body.firings;
    }
    expect(
      Object.values(fired).reduce((sum, count) => sum + count, 0),
      JSON.stringify(fired),
    ).toBeLessThan(2);
  } finally {
    await world.close();
  }
}, 60_000);
