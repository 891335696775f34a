import type { Dataset } from '../../../src/core/datasets/contract.ts';
import type {
  Experiment,
  ExperimentDetail,
  ExperimentRun,
} from '../../../src/features/experiments/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { asker } from '../../helpers/people.ts';

export type Lab = {
  readonly world: TestApp;
  readonly provider: ModelProviderMock;
  /** Sends a request of the owner; throws for a refusal. */
  send<T>(method: string, path: string, json?: unknown): Promise<T>;
  /** The status and the error of a refused request. */
  refused(method: string, path: string, json?: unknown): Promise<readonly [number, string]>;
  dataset(items: readonly object[], name?: string): Promise<Dataset>;
  /** Resolves when the experiment has this status. */
  until(id: string, status: Experiment['status']): Promise<ExperimentDetail>;
  runs(id: string, query?: string): Promise<ExperimentRun[]>;
  close(): Promise<void>;
};

/** A server with a mocked provider of models. */
export async function openLab(env: Readonly<Record<string, string>> = {}): Promise<Lab> {
  const provider = startModelProvider();
  const path = `${process.env.TMPDIR ?? '/tmp'}/models-${Bun.randomUUIDv7()}.json`;
  await Bun.write(path, modelsFile(provider));
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  const world = await openTestApp({
    rateLimits: false,
    env: { MODELS_FILE: path, OUTBOUND_ALLOW: '127.0.0.0/8', ...env },
  });
  const ask = asker(world);
  const url = (given: string): string =>
    `/v1/${given}${given.includes('?') ? '&' : '?'}projectId=${world.seed.projectId}`;
  async function send<T>(method: string, given: string, json?: unknown): Promise<T> {
    const { status, body } = await ask(method, url(given), world.seed.bearer, json);
    if (status >= 300) throw new Error(`${method} ${given}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }
  return {
    world,
    provider,
    send,
    async refused(method, given, json) {
      const { status, body } = await ask(method, url(given), world.seed.bearer, json);
      return [status, (body as { error: string }).error];
    },
    async dataset(items, name = `set ${Bun.randomUUIDv7()}`) {
      const { id } = await send<Dataset>('POST', 'datasets', { name });
      for (let i = 0; i < items.length; i += 500)
        await send('POST', `datasets/${id}/items`, { items: items.slice(i, i + 500) });
      return send<Dataset>('GET', `datasets/${id}`);
    },
    async until(id, status) {
      for (;;) {
        const found = await send<ExperimentDetail>('GET', `experiments/${id}`);
        if (found.status === status) return found;
        const isOver = ['completed', 'paused', 'cancelled'].includes(found.status);
        if (isOver) throw new Error(`the experiment is ${found.status}: ${found.error}`);
        await Bun.sleep(20);
      }
    },
    async runs(id, query = '') {
      return (await send<{ items: ExperimentRun[] }>('GET', `experiments/${id}/items?limit=100${query}`))
        .items;
    },
    async close() {
      await world.close();
      provider.close();
    },
  };
}
