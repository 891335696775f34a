import type { AlertDraft } from '../contract.ts';

/**
 * The rules that a project without alerts is offered. Their bounds leave room for the chance of small numbers, so that
 * ordinary traffic fires none of them.
 */
export const STARTER_RULES: readonly (AlertDraft & { readonly why: string })[] = [
  {
    name: 'Error rate',
    why: 'A provider fails, a key is revoked, a deployment breaks a prompt.',
    measure: 'errorRate',
    window: '15m',
    condition: { kind: 'threshold', operator: 'gt', warning: 0.1, critical: 0.25 },
    minRequests: 30,
  },
  {
    name: 'Cost of a day against last week',
    why: 'A loop, a longer prompt or a dearer model doubles the bill. From 1,000 calls a day on: the cost of fewer calls doubles by chance.',
    measure: 'cost',
    window: '1d',
    condition: { kind: 'change', direction: 'up', percent: 100, compare: 'sameTimeLastWeek' },
    minRequests: 1_000,
    forMinutes: 240,
  },
  {
    name: 'Calls without a price',
    why: 'A new model has no price yet, so its calls are missing from every cost.',
    measure: 'unpriced',
    window: '1d',
    condition: { kind: 'threshold', operator: 'gt', critical: 0 },
  },
];
