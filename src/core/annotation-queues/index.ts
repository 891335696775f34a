import type { Module } from '../../module.ts';
import { readCounts } from './items/read-counts.ts';
import { deleteExpiredItems } from './jobs.ts';
import { queueRoutes } from './routes.ts';

const ofUser = { deleteWhere: 'about_user = ?' } as const;

/** Queues of traces and spans that people score one by one, several people the same where their agreement matters. */
export const annotationQueuesModule: Module = {
  name: 'annotation-queues',
  tables: [
    {
      name: 'annotation_marks',
      scope: 'project',
      by: 'project',
      key: ['queue_id', 'no', 'user_id'],
      readable: true,
      eraseUser: ofUser,
    },
    {
      name: 'annotation_items',
      scope: 'project',
      by: 'project',
      key: ['queue_id', 'no'],
      readable: true,
      eraseUser: ofUser,
    },
    { name: 'annotation_queues', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: queueRoutes,
  reads: [readCounts],
  jobs: [deleteExpiredItems],
};

export { createQueue } from './change-queue.ts';
export { listQueues } from './queries.ts';
