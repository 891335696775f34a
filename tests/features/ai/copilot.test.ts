import { expect, test } from 'bun:test';
import { openTestApp } from '../../helpers/app.ts';

const ALERT = {
  name: 'Cost a day',
  measure: 'cost',
  window: '1d',
  condition: { kind: 'threshold', operator: 'gt', critical: 10 },
};

test('what an answer became is audited as an action of the copilot, and what a person makes alone is not', async () => {
  const world = await openTestApp();
  const { projectId, organizationId, bearer } = world.seed;
  const made = [
    [`/v1/alerts?projectId=${projectId}`, ALERT, 'alert.created'],
    [
      `/v1/budgets?organizationId=${organizationId}`,
      { of: { kind: 'project', projectId }, period: 'month', limitUsd: 5 },
      'budget.created',
    ],
    [`/v1/views?projectId=${projectId}&page=events`, { name: 'Failed', search: {} }, 'saved_view.created'],
    [
      `/v1/prices?organizationId=${organizationId}`,
      { model: 'own-model', rates: { input: 1, output: 2 } },
      'price.created',
    ],
  ] as const;
  const actions = async (): Promise<string[]> => {
    const reply = await world.fetch(`/v1/audit?organizationId=${organizationId}`, { bearer });
    return ((await reply.json()) as { entries: { action: string }[] }).entries.map(({ action }) => action);
  };
  try {
    for (const [path, json, action] of made) {
      const headers = { 'Spanledger-Origin': 'copilot' };
      expect([path, (await world.fetch(path, { bearer, json, headers })).status]).toEqual([path, 201]);
      const told = await actions();
      expect(told).toContain(action);
      expect(told).toContain(`copilot.${action.replace('.', '_')}`);
    }
    const before = (await actions()).filter((one) => one.startsWith('copilot.')).length;
    const other = { ...ALERT, name: 'Cost a day, by hand' };
    expect((await world.fetch(`/v1/alerts?projectId=${projectId}`, { bearer, json: other })).status).toBe(
      201,
    );
    expect((await actions()).filter((one) => one.startsWith('copilot.'))).toHaveLength(before);
  } finally {
    await world.close();
  }
}, 60_000);
