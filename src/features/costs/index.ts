import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { explainRoute } from './explain.ts';
import { focusRoute, runningFocusExports } from './focus/export-focus.ts';
import { writeFocusWork } from './focus/write-focus.ts';
import { statementRoute } from './statement.ts';

/** Costs explained and told apart. */
export const costsModule: Module = {
  name: 'costs',
  works: [writeFocusWork],
  services: [listService(runningFocusExports)],
  routes: [explainRoute, statementRoute, focusRoute],
};

export { readExplanation } from './explain.ts';
export type { FocusRow } from './focus/columns.ts';
export { type FocusFile, openFocusFile } from './focus/focus-file.ts';
export { readFocusRows } from './focus/read-month.ts';
export { readStatement } from './statement.ts';
