import { writeFileSync } from 'node:fs';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';
import { openFolder } from '../helpers/folder.ts';
import { MOCK_KEY, modelsFile, run } from '../helpers/model-calls.ts';
import { startModelProvider } from '../helpers/model-provider.ts';

/** A world whose server may call the models of a mock. Gives what ends the mock. */
const withModels = async (world: TestApp): Promise<() => void> => {
  const mock = startModelProvider();
  const folder = openFolder();
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  writeFileSync(folder.path('models.json'), modelsFile(mock));
  await world.reopen({ MODELS_FILE: folder.path('models.json'), OUTBOUND_ALLOW: '127.0.0.1' });
  return () => {
    mock.close();
    folder.remove();
  };
};

export const scenarios: AuditScenarios = {
  'POST /v1/prompts/run': scenario({
    prepare: withModels,
    act: async (world, close) => {
      const response = await run(world);
      await response.text();
      close();
      return response;
    },
    tells: ['model.called'],
  }),
  'models.test': scenario({
    prepare: withModels,
    act: async (world, close) => {
      const input = { project: world.seed.projectId, model: 'openai/gpt-4o', message: 'Hello' };
      await act(world, 'models.test', input).finally(close);
    },
    tells: ['model.called'],
  }),
  'prompts.run': scenario({
    prepare: async (world) => {
      const close = await withModels(world);
      const { bearer, projectId } = world.seed;
      const json = { name: 'greeting', template: 'Hello', labels: ['production'] };
      const made = await world.fetch(`/v1/prompts?projectId=${projectId}`, { bearer, json });
      if (made.status !== 201) throw new Error(await made.text());
      return close;
    },
    act: async (world, close) => {
      const prompt = { name: 'greeting' };
      const input = { project: world.seed.projectId, prompt, model: 'openai/gpt-4o' };
      await act(world, 'prompts.run', input).finally(close);
    },
    tells: ['model.called'],
  }),
};

export const unaudited: Unaudited = { 'models.list': 'it only reads, by the configuration of the server' };
