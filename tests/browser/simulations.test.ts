import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { SimulationDetail } from '../../src/features/simulations/contract.ts';
import type { SimulationRun } from '../../src/features/simulations/runs/contract.ts';
import { READY_SUITES } from '../../src/lib/simulations/suites/ready-suites.ts';
import { type AgentServer, startAgent } from '../features/simulations/agent-server.ts';
import { eventually } from '../helpers/eventually.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

const PICTURES = process.env.SIMULATION_PICTURES;

describe.skipIf(!hasBrowser)('pages of simulations', () => {
  let world: World;
  let agent: AgentServer;
  beforeAll(async () => {
    agent = startAgent();
    world = await openWorld({ rateLimits: false, env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    agent.close();
  });

  const post = async <T>(path: string, json: object): Promise<T> => {
    const { bearer, projectId } = world.app.seed;
    const reply = await world.app.fetch(`/v1/${path}?projectId=${projectId}`, { bearer, json });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const read = async <T>(path: string): Promise<T> => {
    const { bearer, projectId } = world.app.seed;
    return (await (await world.app.fetch(`/v1/${path}?projectId=${projectId}`, { bearer })).json()) as T;
  };
  const mapping = {
    text: 'answer',
    toolCalls: 'actions',
    toolName: 'tool',
    toolArguments: 'args',
    costUsd: 'usd',
  };
  const target = () => ({ kind: 'http', url: `${agent.url}/chat`, reply: mapping });
  const pathOf = (rest: string): string => `/projects/${world.app.seed.projectId}/simulations${rest}`;

  test('a suite is made from a ready one, and a run shows transcripts with verdicts in place', async () => {
    const { page, go, complaints, close } = await world.open();
    await go(pathOf(''));
    await page.getByText('No suites yet').waitFor();
    await page.getByRole('button', { name: 'New suite' }).click();
    await page.getByRole('button', { name: 'Create suite' }).click();
    await page.getByRole('button', { name: 'Save version' }).waitFor();
    const { id } = await post<SimulationDetail>('simulations', {
      suite: { ...READY_SUITES.booking, target: target() },
    });
    const { id: first } = await post<SimulationRun>(`simulations/${id}/runs`, {});
    await eventually(
      'the end of the first run',
      async () => (await read<SimulationRun>(`simulations/runs/${first}`)).status === 'completed',
    );
    agent.faults = ['forgets', 'wrong_arguments', 'leaks'];
    await go(pathOf(`/${id}`));
    await page.getByLabel('Message').fill('A table for two tonight, please.');
    await page.getByRole('button', { name: 'Send message' }).click();
    const reply = page.getByRole('region', { name: 'Reply' });
    await reply.getByText('HTTP 200').waitFor();
    await reply.getByText('Reply as it came').click();
    await reply.locator('pre', { hasText: '"answer"' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Completed:').waitFor();
    const scenarios = page.getByRole('region', { name: 'Scenarios' }).last();
    await scenarios.getByRole('columnheader', { name: 'Pass rate (95% interval)' }).waitFor();
    expect(await scenarios.locator('.badge.bad', { hasText: 'Broken' }).count()).toBeGreaterThan(0);
    await page
      .getByText(/in the last run over the same scenarios \((worse|the difference may be chance)\)/)
      .waitFor();
    const failed = page.getByRole('region', { name: 'Conversations' }).last().locator('.badge.bad');
    expect(await failed.first().textContent()).toBe('Failed');
    await page.getByRole('button', { name: 'An allergy is kept in mind (1)' }).click();
    const turn = page.getByRole('region', { name: 'Turn 4' });
    await turn.getByText('I recommend the hazelnut parfait.').waitFor();
    await turn.getByText('found "hazelnut"').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/transcript.png` });
    const address = page.url().replace(world.url, '');
    await close();
    if (PICTURES === undefined) return;
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [1280, 390])
        for (const [name, path] of [
          ['run', address],
          ['suite', pathOf(`/${id}`)],
          ['list', pathOf('')],
        ] as const) {
          const window = await world.open({ scheme, width });
          await window.go(path);
          await window.page.screenshot({
            path: `${PICTURES}/${name}-${scheme}-${width}.png`,
            fullPage: true,
          });
          await window.close();
        }
  });

  test('50 scenarios five times: the page shows how far the run is', async () => {
    agent.faults = [];
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    agent.answer = async () => {
      if (++asked > 120) await gate.promise;
      return Response.json({ answer: 'Hi' });
    };
    const scenarios = Array.from({ length: 50 }, (_, i) => ({ name: `s${i}`, script: ['Hello'] }));
    const suite = { name: 'Many', target: target(), repetitions: 5, concurrency: 8, scenarios };
    const { id } = await post<SimulationDetail>('simulations', { suite });
    const run = await post<SimulationRun>(`simulations/${id}/runs`, {});
    const { page, go, complaints, close } = await world.open();
    await go(pathOf(`/runs/${run.id}`));
    await page.getByText('120 of 250 conversations, 0 failed, 8 running').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('48');
    gate.resolve();
    await page.getByText('Completed: 250 of 250 conversations').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
