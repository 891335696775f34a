import type { Module } from '../../module.ts';
import { deleteExpired } from './jobs.ts';

/**
 * Retention of a project's raw events. Monthly usage needs no job: `usage_months` counts by month of receipt, so a
 * new month (UTC) starts at 0. Rows of past months stay as usage history.
 */
export const retentionModule: Module = { name: 'retention', jobs: [deleteExpired] };
