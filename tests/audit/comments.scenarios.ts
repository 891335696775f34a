import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const target = { traceId: 'said' };
const trace = async ({ fetch, seed }: TestApp): Promise<void> => {
  const events = [{ trace_id: target.traceId, kind: 'chain', name: 'run' }];
  await fetch('/v1/ingest', { apiKey: seed.apiKey, events });
};
const made = async (world: TestApp, path: string, json: object): Promise<string> => {
  await trace(world);
  return ((await (await send(world, 'POST', path, json)).json()) as { id: string }).id;
};
const comment = (world: TestApp): Promise<string> => made(world, 'comments', { ...target, text: 'Slow' });
const bookmark = (world: TestApp): Promise<string> => made(world, 'bookmarks', target);

export const scenarios: AuditScenarios = {
  'POST /v1/comments': scenario({
    prepare: trace,
    act: (world) => send(world, 'POST', 'comments', { ...target, text: 'Slow' }),
    tells: ['comment.created'],
  }),
  'PUT /v1/comments/:id': scenario({
    prepare: comment,
    act: (world, id) => send(world, 'PUT', `comments/${id}`, { text: 'Fast' }),
    tells: ['comment.updated'],
  }),
  'DELETE /v1/comments/:id': scenario({
    prepare: comment,
    act: (world, id) => send(world, 'DELETE', `comments/${id}`),
    tells: ['comment.deleted'],
  }),
  'POST /v1/bookmarks': scenario({
    prepare: trace,
    act: (world) => send(world, 'POST', 'bookmarks', target),
    tells: ['bookmark.created'],
  }),
  'DELETE /v1/bookmarks/:id': scenario({
    prepare: bookmark,
    act: (world, id) => send(world, 'DELETE', `bookmarks/${id}`),
    tells: ['bookmark.deleted'],
  }),
};
