import { eq } from 'drizzle-orm';
import type { SimulationDetail } from '../../src/features/simulations/contract.ts';
import type { SimulationRun } from '../../src/features/simulations/runs/contract.ts';
import { simulationRuns } from '../../src/features/simulations/table.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';
import { eventually } from '../helpers/eventually.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const suiteWith = (message: string) => ({
  suite: {
    name: 'x',
    target: { kind: 'http', url: 'https://agent.invalid/chat' },
    scenarios: [{ name: 'a', script: [message] }],
  },
});
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', 'simulations', suiteWith('Hello'))).json()) as SimulationDetail).id;
/** A run whose target cannot be reached, ended and then paused, so that nothing of it is under way. Returns its id. */
const paused = async (world: TestApp): Promise<string> => {
  const reply = await send(world, 'POST', `simulations/${await made(world)}/runs`, {});
  const { id } = (await reply.json()) as SimulationRun;
  await eventually('the end of the run', async () => {
    const rows = await world.ctx.db.sql.select().from(simulationRuns).where(eq(simulationRuns.id, id));
    return rows[0]?.summary != null;
  });
  await world.ctx.db.sql.update(simulationRuns).set({ status: 'paused' }).where(eq(simulationRuns.id, id));
  return id;
};

export const scenarios: AuditScenarios = {
  'POST /v1/simulations': scenario({
    act: (world) => send(world, 'POST', 'simulations', suiteWith('Hello')),
    tells: ['simulation.created'],
  }),
  'PUT /v1/simulations/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `simulations/${id}`, suiteWith('Hi')),
    tells: ['simulation.updated'],
  }),
  'DELETE /v1/simulations/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `simulations/${id}`),
    tells: ['simulation.deleted'],
  }),
  'PUT /v1/simulations/:id/secrets/:name': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `simulations/${id}/secrets/KEY`, { value: 'sk' }),
    tells: ['simulation.secret_set'],
  }),
  'POST /v1/simulations/:id/runs': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `simulations/${id}/runs`, {}),
    tells: ['simulation.run_started'],
  }),
  'POST /v1/simulations/runs/:run/cancel': scenario({
    prepare: paused,
    act: (world, id) => send(world, 'POST', `simulations/runs/${id}/cancel`),
    tells: ['simulation.run_cancelled'],
  }),
  'POST /v1/simulations/runs/:run/resume': scenario({
    prepare: paused,
    act: (world, id) => send(world, 'POST', `simulations/runs/${id}/resume`, {}),
    tells: ['simulation.run_resumed'],
  }),
  'DELETE /v1/simulations/runs/:run': scenario({
    prepare: paused,
    act: (world, id) => send(world, 'DELETE', `simulations/runs/${id}`),
    tells: ['simulation.run_deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/simulations/try': 'It sends one message and stores nothing.',
};
