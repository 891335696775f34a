import type { JSX } from 'react';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { AlertDraft } from '../contract.ts';
import { sentenceOf } from './rule-words.ts';

/** What a rule says. */
export const RulePreview = ({ rule }: { readonly rule: AlertDraft | null }): JSX.Element => (
  <Panel title="This rule">
    <p className="any-break" role="status">
      {rule === null ? 'Complete the fields to see what the rule says.' : sentenceOf(rule)}
    </p>
  </Panel>
);
