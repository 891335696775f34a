import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { datasetActions } from './actions.ts';
import { changeItemsOp } from './change/change-op.ts';
import { sweepJob } from './change/sweep-datasets.ts';
import { importShare } from './files/import-items.ts';
import { readFileWork } from './files/read-file-work.ts';
import { countItems, countVersion, getItems, listItems } from './reads.ts';
import { datasetRoutes } from './routes.ts';
import { checkItemsWork, checkShare } from './schemas/check-work.ts';

/** Items to try prompts and programs with, in versions. */
export const datasetsModule: Module = {
  name: 'datasets',
  tables: [
    {
      name: 'dataset_items',
      scope: 'project',
      by: 'project',
      key: ['dataset_id', 'no', 'from_version'],
      readable: true,
      eraseUser: { deleteWhere: 'user_id = ?', receipt: 'datasetItems' },
    },
    { name: 'dataset_versions', scope: 'project', by: 'project_id', key: ['dataset_id', 'version'] },
    { name: 'datasets', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: datasetRoutes,
  actions: datasetActions,
  reads: [countItems, countVersion, getItems, listItems],
  writes: [changeItemsOp],
  works: [readFileWork, checkItemsWork],
  services: [listService(importShare), listService(checkShare)],
  jobs: [sweepJob],
};

export { changeItems, createDataset } from './change/change-dataset.ts';
export { exportItems } from './files/export-items.ts';
export { findDatasetNamed, listDatasets, placeOf, readNames } from './queries.ts';
export { countVersion, getItems, type ItemsQuery, listItems, type ReadItem } from './reads.ts';
