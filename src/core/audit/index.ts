import type { Module } from '../../module.ts';
import { commitOp } from './commit-op.ts';

export const auditModule: Module = { name: 'audit', writes: [commitOp] };

export { createAuditAppender } from './append.ts';
export { type AuditNote, commitChange, draftEntry } from './commit-change.ts';
export { type AuditDraft, INSTALLATION } from './entry.ts';
export { defineSubject } from './subject.ts';
