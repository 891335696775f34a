import type { Module } from '../../module.ts';
import { aiRoutes } from './routes.ts';

/** Questions about figures in plain English. */
export const aiModule: Module = { name: 'ai', routes: aiRoutes };

export { ask } from './ask/ask.ts';
