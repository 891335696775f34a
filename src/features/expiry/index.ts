import type { Module } from '../../module.ts';
import { expiryJobs, expiryOps } from './jobs.ts';

/** Sessions, keys and links that have come to their end. */
export const expiryModule: Module = { name: 'expiry', writes: expiryOps, jobs: expiryJobs };
