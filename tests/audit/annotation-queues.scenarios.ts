import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const BODY = { name: 'q', scoreNames: ['helpful'] };
const ITEMS = { items: [{ traceId: 't-1' }] };

/** A project with a trace and a definition. */
async function prepare(world: TestApp): Promise<void> {
  const events = [{ trace_id: 't-1', span_id: 's-1', provider: 'openai', model: 'gpt-4o' }];
  await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  await send(world, 'POST', 'score-definitions', { name: 'helpful', type: 'boolean' });
}
/** The id of a queue with that trace. */
async function made(world: TestApp): Promise<string> {
  await prepare(world);
  const reply = await send(world, 'POST', 'annotation-queues', { ...BODY, ...ITEMS });
  return ((await reply.json()) as { id: string }).id;
}

export const scenarios: AuditScenarios = {
  'POST /v1/annotation-queues': scenario({
    prepare,
    act: (world) => send(world, 'POST', 'annotation-queues', BODY),
    tells: ['annotation_queue.created'],
  }),
  'PUT /v1/annotation-queues/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `annotation-queues/${id}`, { ...BODY, annotators: 3 }),
    tells: ['annotation_queue.updated'],
  }),
  'DELETE /v1/annotation-queues/:id': scenario({
    prepare: async (world) => {
      await prepare(world);
      const reply = await send(world, 'POST', 'annotation-queues', BODY);
      return ((await reply.json()) as { id: string }).id;
    },
    act: (world, id) => send(world, 'DELETE', `annotation-queues/${id}`),
    tells: ['annotation_queue.deleted'],
  }),
  'POST /v1/annotation-queues/:id/items': scenario({
    prepare: made,
    act: (world, id) =>
      send(world, 'POST', `annotation-queues/${id}/items`, { items: [{ traceId: 't-1', spanId: 's-1' }] }),
    tells: ['annotation_queue.items_added'],
  }),
  'DELETE /v1/annotation-queues/:id/items/:no': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `annotation-queues/${id}/items/1`),
    tells: ['annotation_queue.item_removed'],
  }),
  'PUT /v1/annotation-queues/:id/items/:no/annotation': scenario({
    prepare: made,
    act: (world, id) =>
      send(world, 'PUT', `annotation-queues/${id}/items/1/annotation`, { scores: { helpful: true } }),
    tells: ['score.written'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/annotation-queues/:id/claim':
    'it only keeps an item for the person who looks at it, for 15 minutes',
};
