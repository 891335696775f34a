import { Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { ShownAlert } from './alerts-api.ts';
import { PreviewChart } from './preview-chart.tsx';
import { formOf, readForm } from './rule-form.ts';
import { usePreview } from './use-preview.ts';

const DAYS = 7;

/** The values of an alert in the last days, judged by the rule as it is now. */
export function AlertChart({ alert }: { readonly alert: ShownAlert }): JSX.Element | null {
  const { rule } = readForm(formOf(alert));
  const preview = usePreview(rule, DAYS);
  if (rule === null || (preview.error !== null && preview.data === undefined)) return null;
  return (
    <Panel title={`Last ${DAYS} days`} detail="judged by the rule as it is now">
      {preview.data === undefined ? (
        <Skeleton height={300} />
      ) : (
        <PreviewChart rule={rule} preview={preview.data} days={DAYS} />
      )}
    </Panel>
  );
}
