import { TEST_NOW, type TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';
import { eventually } from '../helpers/eventually.ts';

const request = {
  start: new Date(TEST_NOW - 86_400_000).toISOString(),
  end: new Date(TEST_NOW).toISOString(),
};

const send = ({ fetch, seed }: TestApp, path: string, json: unknown = {}): Promise<Response> =>
  fetch(`/v1/repricings${path}?projectId=${seed.projectId}`, { bearer: seed.bearer, json });

/** Waits for background work before the app closes. */
async function settled(world: TestApp, response: Response | Promise<Response>): Promise<Response> {
  const answer = await response;
  if (!answer.ok) return answer;
  const { id } = (await answer.clone().json()) as { id: string };
  await eventually('the end of a re-pricing', async () => {
    const { fetch, seed } = world;
    const now = await fetch(`/v1/repricings/${id}?projectId=${seed.projectId}`, { bearer: seed.bearer });
    const { state } = (await now.json()) as { state: string };
    return !['looking', 'applying', 'undoing'].includes(state);
  });
  return answer;
}

const made = async (world: TestApp): Promise<string> => {
  const response = await settled(world, send(world, '', request));
  return ((await response.json()) as { id: string }).id;
};
const applied = async (world: TestApp): Promise<string> => {
  const id = await made(world);
  await settled(world, send(world, `/${id}/apply`));
  return id;
};

export const scenarios: AuditScenarios = {
  'POST /v1/repricings': scenario({
    act: (world) => settled(world, send(world, '', request)),
    tells: ['repricing.created'],
  }),
  'POST /v1/repricings/:id/apply': scenario({
    prepare: made,
    act: (world, id) => settled(world, send(world, `/${id}/apply`)),
    tells: ['repricing.applied'],
  }),
  'POST /v1/repricings/:id/undo': scenario({
    prepare: applied,
    act: (world, id) => settled(world, send(world, `/${id}/undo`)),
    tells: ['repricing.undone'],
  }),
  'repricings.create': scenario({
    act: (world) => act(world, 'repricings.create', { project: world.seed.projectId, request }),
    tells: ['repricing.created'],
  }),
  'repricings.apply': scenario({
    prepare: made,
    act: (world, id) => act(world, 'repricings.apply', { id }),
    tells: ['repricing.applied'],
  }),
  'repricings.undo': scenario({
    prepare: applied,
    act: (world, id) => act(world, 'repricings.undo', { id }),
    tells: ['repricing.undone'],
  }),
};
