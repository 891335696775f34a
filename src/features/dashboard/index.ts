import type { Module } from '../../module.ts';
import { dashboardRoutes } from './routes.ts';

/** The dashboard's page and its files. The pages themselves are the `*.tsx` of each feature. */
export const dashboardModule: Module = { name: 'dashboard', routes: dashboardRoutes };
