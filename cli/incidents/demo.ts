import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import type { Actor } from '../../src/module.ts';

/**
 * Opens the demo's incidents for what its story planted: a resolved one for the timeouts, and one that people
 * work on for the refused calls. Each has a clear cause.
 */
export const openDemoIncidents = async (
  app: App,
  { id: projectId, organizationId }: ProjectRow,
  demo: { readonly userId: string; readonly email: string },
): Promise<void> => {
  const [{ changeIncident }, { DEMO_STORY, dayWindow }] = await Promise.all([
    import('../../src/features/incidents/index.ts'),
    import('../../src/features/demo/index.ts'),
  ]);
  const actor: Actor = { kind: 'user', ...demo };
  const about = { projectId, organizationId, actor, notes: '', channelIds: [] } as const;
  const { start, end } = dayWindow(app.ctx.now(), DEMO_STORY.timeouts);
  const { id } = await changeIncident(app.ctx, {
    ...about,
    kind: 'open',
    now: start + 6 * MINUTE_MS,
    title: 'Calls to Anthropic time out',
    severity: 'critical',
    measure: 'timeoutRate',
    startedAt: start,
    dimensions: { environment: 'production' },
    notes:
      'The provider’s status page confirmed an outage at 13:40.\n\n- **Next time:** fall back to `gpt-4o-mini`',
  });
  type Step = Extract<Parameters<typeof changeIncident>[1], { kind: 'step' }>['step'];
  const step = async (of: string | null, now: number, done: Step): Promise<void> => {
    await changeIncident(app.ctx, { ...about, kind: 'step', now, id: of ?? '', step: done });
  };
  await step(id, start + 18 * MINUTE_MS, { kind: 'acknowledge' });
  await step(id, start + 40 * MINUTE_MS, {
    kind: 'comment',
    text: 'Outage at the provider; retries help a little.',
  });
  await step(id, end + 5 * MINUTE_MS, { kind: 'resolve', text: 'The provider is back.' });
  const { start: refusedAt } = dayWindow(app.ctx.now(), {
    ...DEMO_STORY.rateLimits,
    daysAgo: Math.min(...DEMO_STORY.rateLimits.daysAgo),
  });
  const refused = await changeIncident(app.ctx, {
    ...about,
    kind: 'open',
    now: refusedAt + 20 * MINUTE_MS,
    title: 'Calls are refused during the import',
    severity: 'warning',
    measure: 'errorRate',
    startedAt: refusedAt,
    dimensions: { environment: 'production' },
  });
  await step(refused.id, refusedAt + 35 * MINUTE_MS, { kind: 'acknowledge' });
  await step(refused.id, refusedAt + 2 * HOUR_MS, {
    kind: 'comment',
    text: 'The import needs more tokens a minute than the provider allows. A higher limit is requested.',
  });
};
