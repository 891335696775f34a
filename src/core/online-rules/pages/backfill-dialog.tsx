import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { moneyText, numberText } from '../../../lib/figures.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { BackfillEstimate, OnlineRule } from '../contract.ts';
import { backfillApi, listApi } from './rules-api.ts';

type Props = { readonly rule: OnlineRule; readonly onClose: () => void };

/** Judges the past: first what that costs, then whether to. */
export function BackfillDialog({ rule, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const [rejudge, setRejudge] = useState(false);
  const [days, setDays] = useState('7');
  const [estimate, setEstimate] = useState<BackfillEstimate | null>(null);
  const ask = (dryRun: boolean): Promise<BackfillEstimate> => {
    const now = Date.now();
    const start = new Date(now - Number(days) * DAY_MS).toISOString();
    const body = { start, end: new Date(now).toISOString(), rejudge, dryRun };
    return send(backfillApi, { query: { projectId }, params: { id: rule.id }, body });
  };
  const form = useSubmit(async () => {
    if (estimate === null) {
      setEstimate(await ask(true));
      return;
    }
    await ask(false);
    await refresh(listApi);
    onClose();
  });
  return (
    <FormDialog
      title={`Back-fill ${rule.name}`}
      form={form}
      submit={estimate === null ? 'Estimate the cost' : 'Judge these traces'}
      onClose={onClose}
    >
      <NativeSelect
        label="Traces of"
        data={['1', '7', '30', '90'].map((value) => ({
          value,
          label: value === '1' ? 'the last day' : `the last ${value} days`,
        }))}
        value={days}
        disabled={estimate !== null}
        onChange={({ currentTarget: { value } }) => setDays(value)}
      />
      <Checkbox
        label="Judge again what an older version of the evaluator judged"
        checked={rejudge}
        disabled={estimate !== null}
        onChange={({ currentTarget }) => setRejudge(currentTarget.checked)}
      />
      <div role="status">
        {estimate !== null && (
          <>
            <p>
              {estimate.isComplete ? '' : 'At least '}
              <strong>{numberText(estimate.matching)}</strong> of {numberText(estimate.traces)} traces would
              be judged.
            </p>
            <p>
              Expected cost {estimate.expectedUsd === null ? 'unknown' : moneyText(estimate.expectedUsd)}, at
              most {estimate.maxUsd === null ? 'unknown' : moneyText(estimate.maxUsd)}
              {rule.monthlyUsd !== null && `, under the cap of ${moneyText(rule.monthlyUsd)} a month`}.
            </p>
            <Button size="compact-xs" variant="subtle" onClick={() => setEstimate(null)}>
              Change the window
            </Button>
          </>
        )}
      </div>
    </FormDialog>
  );
}
