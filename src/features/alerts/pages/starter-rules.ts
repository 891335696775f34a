import type { AlertDraft } from '../contract.ts';

/** The rules that a project without alerts is offered. Each works without a change on any traffic. */
export const STARTER_RULES: readonly (AlertDraft & { readonly why: string })[] = [
  {
    name: 'Error rate',
    why: 'A provider fails, a key is revoked, a deployment breaks a prompt.',
    measure: 'errorRate',
    window: '15m',
    condition: { kind: 'threshold', operator: 'gt', warning: 0.05, critical: 0.2 },
    minRequests: 20,
  },
  {
    name: 'Cost of a day against last week',
    why: 'A loop, a longer prompt or a dearer model shows in the bill within hours.',
    measure: 'cost',
    window: '1d',
    condition: { kind: 'change', direction: 'up', percent: 50, compare: 'sameTimeLastWeek' },
    minRequests: 100,
  },
  {
    name: 'Calls without a price',
    why: 'A new model has no price yet, so its calls are missing from every cost.',
    measure: 'unpriced',
    window: '1h',
    condition: { kind: 'threshold', operator: 'gt', critical: 0 },
  },
];
