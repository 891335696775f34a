import type { Reason } from '../contract.ts';

const TEXTS: Readonly<Record<Reason, string>> = {
  few_requests: 'too few calls',
  no_requests: 'no calls',
  unpriced: 'calls without a price would decide',
  learning: 'learning what is usual',
  no_baseline: 'nothing to compare with',
  gone: 'no calls for 24 hours',
  late_events: 'late events changed the figures',
  rule_changed: 'the rule was changed',
};

/** Why a group has its state, where the value alone does not say it. */
export const reasonText = (reason: Reason): string => TEXTS[reason];
