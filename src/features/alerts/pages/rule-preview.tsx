import { Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure } from '../../../dashboard/ui/states.tsx';
import type { AlertDraft } from '../contract.ts';
import { PreviewChart } from './preview-chart.tsx';
import { sentenceOf } from './rule-words.ts';
import { usePreview } from './use-preview.ts';

const DAYS = 30;

/** What a rule says, and what it would have done in the last 30 days, while it is written. */
export function RulePreview({ rule }: { readonly rule: AlertDraft | null }): JSX.Element {
  const preview = usePreview(rule, DAYS);
  return (
    <Panel title="This rule">
      <div className="stack">
        <p className="any-break" role="status">
          {rule === null ? 'Complete the fields to see what the rule says.' : sentenceOf(rule)}
        </p>
        {preview.error !== null ? (
          <Failure error={preview.error} retry={() => void preview.refetch()} />
        ) : preview.data === undefined ? (
          <Skeleton height={280} />
        ) : (
          <div className={preview.isPlaceholderData ? 'stale' : undefined} aria-busy={preview.isFetching}>
            {rule !== null && <PreviewChart rule={rule} preview={preview.data} days={DAYS} />}
          </div>
        )}
      </div>
    </Panel>
  );
}
