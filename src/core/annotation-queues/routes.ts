import { actorOf } from '../../module.ts';
import { type Callers, route } from '../tenancy/index.ts';
import { claimItem } from './annotate/claim-item.ts';
import { findTask } from './annotate/find-task.ts';
import { saveAnnotation } from './annotate/save-annotation.ts';
import { changeQueue, createQueue, deleteQueue, type QueueEditor } from './change-queue.ts';
import {
  claimItemEndpoint,
  deleteQueueEndpoint,
  deleteQueueItemEndpoint,
  getQueueEndpoint,
  getQueueItemEndpoint,
  listQueueItemsEndpoint,
  listQueuesEndpoint,
  postQueueEndpoint,
  postQueueItemsEndpoint,
  putAnnotationEndpoint,
  putQueueEndpoint,
} from './contract.ts';
import { addItems, findItems } from './items/add-items.ts';
import { listItems, removeItem } from './items/list-items.ts';
import { findDetail, findRow, listQueues } from './queries.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): QueueEditor => ({ scope: caller.scope, actor: actorOf(caller, input), userId: caller.userId });

const queues = [
  route(listQueuesEndpoint, async (ctx, _input, { scope, userId }) => ({
    queues: await listQueues(ctx, scope, userId),
  })),
  route(postQueueEndpoint, (ctx, input, caller) => createQueue(ctx, editorOf(caller, input), input.body)),
  route(getQueueEndpoint, (ctx, { params: { id } }, { scope, userId }) =>
    findDetail(ctx, scope, { id, userId }),
  ),
  route(putQueueEndpoint, (ctx, input, caller) =>
    changeQueue(ctx, editorOf(caller, input), { id: input.params.id, input: input.body }),
  ),
  route(deleteQueueEndpoint, async (ctx, input, caller) => {
    await deleteQueue(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
];

const items = [
  route(listQueueItemsEndpoint, (ctx, { params: { id }, query: { only, cursor, limit } }, { scope }) =>
    listItems(ctx, scope, { id, only, cursor, limit }),
  ),
  route(postQueueItemsEndpoint, async (ctx, input, caller) => {
    const { id } = await findRow(ctx, caller.scope.projectId, input.params.id);
    const found = await findItems(ctx, caller.scope, input.body);
    return addItems(ctx, editorOf(caller, input), { id, items: found });
  }),
  route(deleteQueueItemEndpoint, async (ctx, input, caller) => {
    await removeItem(ctx, editorOf(caller, input), input.params);
    return null;
  }),
  route(claimItemEndpoint, async (ctx, { params: { id } }, { scope, userId }) => ({
    task: await claimItem(ctx, scope, { id, userId }),
  })),
  route(getQueueItemEndpoint, (ctx, { params: { id, no } }, { scope, userId }) =>
    findTask(ctx, scope, { id, no, userId }),
  ),
  route(putAnnotationEndpoint, (ctx, input, caller) =>
    saveAnnotation(ctx, editorOf(caller, input), { ...input.params, input: input.body }),
  ),
];

export const queueRoutes = [...queues, ...items];
