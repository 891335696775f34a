import type { Deployment, DeploymentsPage } from '../../../src/core/deployments/contract.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import { createProject } from '../../../src/core/projects/index.ts';
import type { TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';

/** A project of its own in a shared app, and requests about its deployments. */
export type DeploymentWorld = {
  readonly id: string;
  /** `call('POST', '', body)`. */
  call<T>(
    method: string,
    path: string,
    json?: unknown,
    bearer?: string,
  ): Promise<{ status: number; body: T }>;
  list(query?: string): Promise<DeploymentsPage>;
  /** Sends events; each is a call with these fields. */
  ingest(...events: readonly object[]): Promise<Response>;
};

export async function openProject(world: TestApp): Promise<DeploymentWorld> {
  const name = `p${crypto.randomUUID()}`;
  const { id } = await world.app.act(createProject, { organization: 'Acme', name });
  const { apiKey } = await world.app.act(createKey, { project: id, name: 'test' });
  const ask = asker(world);
  const call: DeploymentWorld['call'] = async <T>(
    method: string,
    path: string,
    json?: unknown,
    bearer = world.seed.bearer,
  ) => {
    const [below, query = ''] = path.split('?');
    const reply = await ask(method, `/v1/deployments${below}?projectId=${id}&${query}`, bearer, json);
    return reply as { status: number; body: T };
  };
  return {
    id,
    call,
    list: async (query = '') => (await call<DeploymentsPage>('GET', `?${query}`)).body,
    ingest: (...events) =>
      world.fetch('/v1/ingest', {
        apiKey,
        events: events.map((event) => ({ provider: 'openai', model: 'gpt-4o', ...event })),
      }),
  };
}

/** What tests compare of a deployment. */
export const brief = ({ release, environment, at, source }: Deployment) => ({
  release,
  environment,
  at,
  source,
});
