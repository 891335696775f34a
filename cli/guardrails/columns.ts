import type { GuardrailReply } from '../../src/core/guardrails/contract.ts';
import type { ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';

/** One guardrail per row. */
export const guardrailColumns: readonly ListColumn<GuardrailReply>[] = [
  { header: 'guardrail', value: ({ name }) => name },
  { header: 'version', value: ({ version }) => version, fixed: true },
  { header: 'stage', value: ({ stage }) => stage, fixed: true },
  {
    header: 'checks',
    value: ({ checks }) => checks.map(({ kind, action }) => `${kind}:${action}`).join(' '),
  },
  { header: 'if it fails', value: ({ failureMode }) => failureMode, fixed: true },
  { header: 'enabled', value: ({ enabled }) => (enabled ? 'yes' : 'no'), fixed: true },
  { header: 'changed', value: ({ updatedAt }) => shortTime(Date.parse(updatedAt)), fixed: true },
];
