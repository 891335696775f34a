import type { Module } from '../../module.ts';
import { backupHourly } from './job.ts';

/** Copies the database into a folder every hour. */
export const backupModule: Module = { name: 'backup', jobs: [backupHourly] };
