import type { Module } from '../../module.ts';
import { explainRoute } from './explain.ts';
import { statementRoute } from './statement.ts';

/** Costs explained and told apart. */
export const costsModule: Module = {
  name: 'costs',
  routes: [explainRoute, statementRoute],
};

export { readExplanation } from './explain.ts';
export { readStatement } from './statement.ts';
