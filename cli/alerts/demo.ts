import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import type { Actor } from '../../src/module.ts';

/**
 * Creates the demo's alerts: the rules that a new project is offered, and one for the model that became slow. They are
 * evaluated from then on; the preview of each shows the last 30 days.
 */
export const createDemoAlerts = async (
  app: App,
  { id: project }: ProjectRow,
  actor: Actor,
): Promise<void> => {
  const [{ createAlertAction, STARTER_RULES }, { DEMO_STORY }] = await Promise.all([
    import('../../src/features/alerts/index.ts'),
    import('../../src/features/demo/index.ts'),
  ]);
  const drafts = [
    ...STARTER_RULES.map(({ why: _, ...rule }) => rule),
    {
      name: 'Answers of the slow model',
      measure: 'latencyAvg' as const,
      filters: { model: DEMO_STORY.slowdown.model },
      window: '1d' as const,
      condition: {
        kind: 'change' as const,
        direction: 'up' as const,
        percent: 30,
        compare: 'sameTimeLastWeek' as const,
      },
      minRequests: 10,
      forMinutes: 60,
    },
  ];
  for (const alert of drafts) await app.act(createAlertAction, { project, alert }, actor);
};
