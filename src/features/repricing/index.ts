import type { Module } from '../../module.ts';
import { applyRepricingAction, createRepricingAction, undoRepricingAction } from './actions.ts';
import { progressEffect } from './progress-effect.ts';
import {
  applyRepricingRoute,
  createRepricingRoute,
  getRepricingRoute,
  listRepricingsRoute,
  undoRepricingRoute,
} from './routes.ts';
import { repriceJob } from './run.ts';

/** Re-prices stored calls: a dry run, then its application, which can be undone. */
export const repricingModule: Module = {
  name: 'repricing',
  tables: [{ name: 'repricings', scope: 'project', by: 'project', key: ['id'], readable: true }],
  routes: [
    listRepricingsRoute,
    getRepricingRoute,
    createRepricingRoute,
    applyRepricingRoute,
    undoRepricingRoute,
  ],
  effects: [progressEffect],
  actions: [createRepricingAction, applyRepricingAction, undoRepricingAction],
  jobs: [repriceJob],
};

export { findRepricing, listBusy, listRepricings, toReply } from './queries.ts';
