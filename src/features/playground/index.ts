import type { Module } from '../../module.ts';
import { playgroundActions } from './actions.ts';
import { playgroundRoutes } from './routes.ts';

/** Trying prompts on the models that the server may call. */
export const playgroundModule: Module = {
  name: 'playground',
  routes: playgroundRoutes,
  actions: playgroundActions,
};
