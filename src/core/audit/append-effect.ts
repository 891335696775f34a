import type { Effect, EffectCall } from '../../db/effects.ts';
import { createAuditAppender } from './append.ts';
import type { AuditDraft } from './entry.ts';

/** Adds an entry to the audit log. If that fails, the batch or change fails too. */
export const appendEffect: Effect<AuditDraft, unknown, void> = {
  name: 'audit.append',
  open(connection) {
    const audit = createAuditAppender(connection);
    return {
      apply(draft) {
        audit.append(draft);
      },
    };
  },
};

/** The effect that audits a batch or change: a draft of `draftEntry`. */
export const auditWith = (draft: AuditDraft): EffectCall => ({
  effect: appendEffect.name,
  payload: draft,
  rows: 1,
});
