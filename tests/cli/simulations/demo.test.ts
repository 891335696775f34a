import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createDemoSimulations } from '../../../cli/simulations/demo.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import type { Simulation } from '../../../src/features/simulations/contract.ts';
import type {
  SimulationRunDetail,
  SimulationTranscript,
} from '../../../src/features/simulations/runs/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

describe('the simulations of the demo', () => {
  let app: TestApp;
  let runs: readonly SimulationRunDetail[];
  const read = async <T>(path: string): Promise<T> => {
    const { bearer, projectId } = app.seed;
    const reply = await app.fetch(`/v1/simulations${path}?projectId=${projectId}`, { bearer });
    expect(reply.status).toBe(200);
    return (await reply.json()) as T;
  };
  beforeAll(async () => {
    app = await openTestApp({ now: Date.UTC(2026, 10, 29, 9) });
    const project = await findProject(app.ctx, app.seed.projectId);
    await createDemoSimulations(app.app, project, { kind: 'system', name: 'demo' });
    const { simulations } = await read<{ simulations: Simulation[] }>('');
    const [suite] = simulations;
    const { runs: listed } = await read<{ runs: { id: string }[] }>(`/${suite?.id}/runs`);
    runs = await Promise.all(listed.toReversed().map(({ id }) => read<SimulationRunDetail>(`/runs/${id}`)));
    expect(suite?.lastRun?.id).toBe(runs.at(-1)?.id ?? '');
  });
  afterAll(() => app.close());

  const failed = (run: SimulationRunDetail | undefined): string[] =>
    run?.scenarios.filter((one) => one.failed > 0).map(({ scenario }) => scenario) ?? [];

  test('a run before each release, the oldest first, each beside the one before', () => {
    expect(runs.map(({ createdAt }) => createdAt.slice(0, 10))).toEqual([
      '2026-11-07',
      '2026-11-19',
      '2026-11-26',
    ]);
    expect(runs.map(({ status, planned }) => [status, planned])).toEqual(Array(3).fill(['completed', 9]));
    expect(runs.map(({ baselineId }) => baselineId)).toEqual([null, ...runs.slice(0, 2).map(({ id }) => id)]);
  });

  test('the first finds both planted faults, of which one does not show each time', () => {
    expect(failed(runs[0])).toEqual(['A refund needs an order number', 'Instructions stay secret']);
    expect(runs[0]?.scenarios.filter(({ isFlaky }) => isFlaky).map(({ scenario }) => scenario)).toEqual([
      'Instructions stay secret',
    ]);
  });

  test('the second passes, and the third breaks one scenario', () => {
    expect(failed(runs[1])).toEqual([]);
    const changes = (run = runs[2]) => run?.scenarios.map(({ change }) => change);
    expect(changes(runs[1])).toEqual(['fixed', 'same', 'fixed', 'same', 'same']);
    expect(changes()).toEqual(['same', 'broken', 'same', 'same', 'same']);
  });

  test('a conversation has what was said, what was called, and why it failed', async () => {
    const { conversations } = await read<{
      conversations: { no: number; outcome: string; failure: string | null }[];
    }>(`/runs/${runs[2]?.id}/conversations`);
    const bad = conversations.find(({ outcome }) => outcome === 'failed');
    expect(bad?.failure).toContain('calls lookup_order');
    const { transcript } = await read<SimulationTranscript>(`/runs/${runs[2]?.id}/conversations/${bad?.no}`);
    expect(transcript[0]?.user).toContain('2290');
    expect(transcript[0]?.answer).toContain('2290');
    expect(transcript[0]?.costUsd).toBeGreaterThan(0);
  });
});
