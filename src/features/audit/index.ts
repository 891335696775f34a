import type { Module } from '../../module.ts';
import { exportAudit, listAudit } from './queries.ts';
import { auditServices, exportRoute, listRoute, verifyRoute } from './routes.ts';
import { readHead, verifyStep } from './verify.ts';

/** Reads, verifies and exports the log that `core/audit` writes. */
export const auditLogModule: Module = {
  name: 'audit-log',
  routes: [listRoute, verifyRoute, exportRoute],
  services: auditServices,
  reads: [listAudit, exportAudit, verifyStep, readHead],
};

export { type Chain, listChains } from './chains.ts';
export { listAudit } from './queries.ts';
export { notedHead } from './routes.ts';
export { toCsv } from './to-csv.ts';
export { verifyChain } from './verify.ts';
