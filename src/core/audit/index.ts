import type { Module } from '../../module.ts';
import { appendEffect } from './append-effect.ts';
import { commitOp } from './commit-op.ts';

/** The log is kept longer than its subjects. */
const log = {
  scope: 'organization',
  by: 'organization_id',
  key: ['seq'],
  readable: true,
  kept: true,
} as const;

export const auditModule: Module = {
  name: 'audit',
  tables: [
    { name: 'audit_log', ...log },
    { name: 'audit_heads', ...log },
  ],
  writes: [commitOp],
  effects: [appendEffect],
};

export { createAuditAppender } from './append.ts';
export { auditWith } from './append-effect.ts';
export { FIRST_HASH, hashEntry } from './chain.ts';
export { type AuditNote, commitChange, draftEntry, toAuditActor } from './commit-change.ts';
export { AUDIT_COPY, chainEnds } from './copy.ts';
export { type AuditDraft, type AuditRow, HASHED_COLUMNS, INSTALLATION } from './entry.ts';
export { type LogPosition, listChainIds, readChainEnd, readEntries, readEntryHash } from './read-log.ts';
export { defineSubject } from './subject.ts';
