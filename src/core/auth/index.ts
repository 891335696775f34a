import type { Module } from '../../module.ts';
import { createUser } from './create-user.ts';
import { authRoutes } from './routes.ts';
import { initLedger } from './set-up.ts';

export const authModule: Module = {
  name: 'auth',
  routes: authRoutes,
  actions: [initLedger, createUser],
};

export { createUser } from './create-user.ts';
export { createSessionGuard } from './session-guard.ts';
export { initLedger } from './set-up.ts';
export { createSetupToken } from './setup-token.ts';
