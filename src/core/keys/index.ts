import type { Module } from '../../module.ts';
import { createKey } from './create-key.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { keyRoutes } from './routes.ts';

export const keysModule: Module = {
  name: 'keys',
  routes: keyRoutes,
  actions: [createKey, rotateKey, revokeKey],
};

export { newKey } from './api-key.ts';
export { createKey } from './create-key.ts';
export { createKeyGuard } from './guard.ts';
export { listKeys } from './queries.ts';
export { revokeKey } from './revoke-key.ts';
export { rotateKey } from './rotate-key.ts';
export { keySubject } from './subject.ts';
