import type { Module } from '../../module.ts';
import { commitOp } from './commit-op.ts';

export const auditModule: Module = { name: 'audit', writes: [commitOp] };

export { createAuditAppender } from './append.ts';
export { FIRST_HASH, hashEntry } from './chain.ts';
export { type AuditNote, commitChange, draftEntry, toAuditActor } from './commit-change.ts';
export { type AuditDraft, type AuditRow, ENTRY_COLUMNS, HASHED_COLUMNS, INSTALLATION } from './entry.ts';
export { defineSubject } from './subject.ts';
