import type { Module } from '../../module.ts';
import { deleteExpiredRows } from './jobs.ts';

/** Rows of the control plane that have come to their end. */
export const expiryModule: Module = { name: 'expiry', jobs: [deleteExpiredRows] };
