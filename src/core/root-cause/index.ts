import type { Module } from '../../module.ts';
import { rootCauseRoute } from './routes.ts';
import { changesRead } from './what-changed.ts';

/** Explains changes of measures by the values that contribute to them. */
export const rootCauseModule: Module = {
  name: 'root-cause',
  routes: [rootCauseRoute],
  reads: [changesRead],
};

export { readRootCause } from './read-root-cause.ts';
