import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
/** A prompt with two versions, the first of which is labelled. */
const made = async (world: TestApp): Promise<void> => {
  await send(world, 'POST', 'prompts', { name: 'a/b', template: 'x', labels: ['production'] });
  await send(world, 'POST', 'prompts/a%2Fb/versions', { template: 'y' });
};

export const scenarios: AuditScenarios = {
  'POST /v1/prompts': scenario({
    act: (world) => send(world, 'POST', 'prompts', { name: 'a', template: 'x', labels: ['production'] }),
    tells: ['prompt.created', 'prompt.version_created', 'prompt.label_updated'],
  }),
  'PUT /v1/prompts/:name': scenario({
    prepare: made,
    act: (world) => send(world, 'PUT', 'prompts/a%2Fb', { description: 'd', tags: ['t'] }),
    tells: ['prompt.updated'],
  }),
  'DELETE /v1/prompts/:name': scenario({
    prepare: made,
    act: (world) => send(world, 'DELETE', 'prompts/a%2Fb?confirm=a/b'),
    tells: ['prompt.deleted'],
  }),
  'POST /v1/prompts/:name/versions': scenario({
    prepare: made,
    act: (world) => send(world, 'POST', 'prompts/a%2Fb/versions', { template: 'z', labels: ['production'] }),
    tells: ['prompt.version_created', 'prompt.label_updated'],
  }),
  'DELETE /v1/prompts/:name/versions/:version': scenario({
    prepare: made,
    act: (world) => send(world, 'DELETE', 'prompts/a%2Fb/versions/2'),
    tells: ['prompt.version_deleted'],
  }),
  'PUT /v1/prompts/:name/labels/:label': scenario({
    prepare: made,
    act: (world) => send(world, 'PUT', 'prompts/a%2Fb/labels/production', { version: 2 }),
    tells: ['prompt.label_updated'],
  }),
  'DELETE /v1/prompts/:name/labels/:label': scenario({
    prepare: made,
    act: (world) => send(world, 'DELETE', 'prompts/a%2Fb/labels/production'),
    tells: ['prompt.label_deleted'],
  }),
  'POST /v1/prompt-files': scenario({
    prepare: made,
    act: (world) => send(world, 'POST', 'prompt-files', { prompts: [{ name: 'a/b', template: 'z' }] }),
    tells: ['prompt.version_created'],
  }),
  'PUT /v1/prompt-settings': scenario({
    act: (world) => send(world, 'PUT', 'prompt-settings', { protectedLabels: ['production'] }),
    tells: ['prompt_settings.updated'],
  }),
  'prompts.label': scenario({
    prepare: made,
    act: (world) =>
      act(world, 'prompts.label', {
        project: world.seed.projectId,
        name: 'a/b',
        label: 'production',
        versions: [{ version: 2, weight: 1 }],
      }),
    tells: ['prompt.label_updated'],
  }),
  'prompts.delete': scenario({
    prepare: made,
    act: (world) => act(world, 'prompts.delete', { project: world.seed.projectId, name: 'a/b' }),
    tells: ['prompt.deleted'],
  }),
  'prompts.import': scenario({
    prepare: made,
    act: (world) =>
      act(world, 'prompts.import', {
        project: world.seed.projectId,
        prompts: [
          { name: 'a/b', template: 'z' },
          { name: 'c', template: 'x' },
        ],
        dryRun: false,
        labels: [],
        message: '',
      }),
    tells: ['prompt.version_created', 'prompt.created', 'prompt.version_created'],
  }),
};
