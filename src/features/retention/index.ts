import type { Module } from '../../module.ts';
import { deleteExpired } from './jobs.ts';

/**
 * How long things of a project are kept. The month's quota needs no job: `usage_months` counts by the month
 * of receipt, so that the first millisecond of a month (UTC) finds no row and counts from 0. The rows of
 * past months stay, as the history of use.
 */
export const retentionModule: Module = { name: 'retention', jobs: [deleteExpired] };
