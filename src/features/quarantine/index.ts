import type { Module } from '../../module.ts';
import { listQuarantine } from './queries.ts';
import { listRoute, replayRoute } from './routes.ts';

export const quarantineModule: Module = {
  name: 'quarantine',
  routes: [listRoute, replayRoute],
  reads: [listQuarantine],
};
