import type { Module } from '../../module.ts';
import { deleteExpiredRows } from './jobs.ts';

/** Deletes expired rows of the control plane. */
export const expiryModule: Module = { name: 'expiry', jobs: [deleteExpiredRows] };
