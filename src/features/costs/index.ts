import type { Module } from '../../module.ts';
import { explainRead, explainRoute } from './explain.ts';
import { statementRead, statementRoute } from './statement.ts';

/** Costs explained and told apart. */
export const costsModule: Module = {
  name: 'costs',
  routes: [explainRoute, statementRoute],
  reads: [explainRead, statementRead],
};
