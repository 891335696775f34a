import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { durationText, moneyText } from '../../../lib/figures.ts';
import type { JudgementReply } from '../contract.ts';
import { type Draft, toInput } from './draft.ts';
import { testApi } from './evaluators-api.ts';

const PASTED = ['input', 'output', 'expected', 'context'] as const;
const LABELS = { input: 'Input', output: 'Output', expected: 'Expected output', context: 'Context' } as const;

type Props = {
  readonly draft: Draft;
  /** Of a saved one, whose link and secret are not in the form. */
  readonly evaluatorId?: string | undefined;
};

/** Judges one example with the evaluator as it is in the form, saved or not. */
export function TryPanel({ draft, evaluatorId }: Props): JSX.Element {
  const projectId = useProjectId();
  const [source, setSource] = useState<'pasted' | 'stored'>('pasted');
  const [verdict, setVerdict] = useState<JudgementReply | null>(null);
  const form = useSubmit(async (fields) => {
    setVerdict(null);
    const name = draft.name.trim() === '' ? 'Untitled' : draft.name;
    const scoreName = draft.scoreName.trim() === '' ? 'untitled' : draft.scoreName;
    const evaluator = toInput({ ...draft, name, scoreName });
    const example = source === 'stored' ? { traceId: fields.traceId ?? '' } : pastedOf(fields);
    setVerdict(
      await send(testApi, {
        query: { projectId },
        body: { evaluator, example, ...(evaluatorId !== undefined && { evaluatorId }) },
      }),
    );
  });
  return (
    <Panel title="Try it" detail="nothing is scored">
      <form onSubmit={form.onSubmit} className="form">
        <SegmentedControl
          size="xs"
          aria-label="Example"
          data={[
            { value: 'pasted', label: 'Pasted example' },
            { value: 'stored', label: 'Stored trace' },
          ]}
          value={source}
          onChange={(value) => setSource(value as 'pasted' | 'stored')}
        />
        {source === 'stored' ? (
          <TextInput label="Trace id" name="traceId" required maxLength={128} />
        ) : (
          <>
            {PASTED.map((name) => (
              <Textarea key={name} label={LABELS[name]} name={name} autosize minRows={1} maxRows={10} />
            ))}
            {draft.kind === 'latency' && (
              <TextInput label="Latency in ms" name="latencyMs" type="number" min={0} step="any" />
            )}
            {draft.kind === 'cost' && (
              <TextInput label="Cost in USD" name="costUsd" type="number" min={0} step="any" />
            )}
          </>
        )}
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <div className="inline-form">
          <Button type="submit" variant="default" loading={form.busy}>
            Try
          </Button>
          {draft.kind === 'judge' && <span className="dim">Asks the model, which costs money.</span>}
          {draft.kind === 'webhook' && <span className="dim">Sends the example to the link.</span>}
        </div>
      </form>
      <div role="status">{verdict !== null && <Verdict verdict={verdict} />}</div>
    </Panel>
  );
}

function pastedOf(fields: Readonly<Record<string, string>>): Record<string, string | number> {
  const texts = PASTED.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name]] as const] : []));
  const numbers = (['latencyMs', 'costUsd'] as const).flatMap((name) =>
    fields[name]?.trim() ? [[name, Number(fields[name])] as const] : [],
  );
  return Object.fromEntries([...texts, ...numbers]);
}

const STATUS = { scored: 'good', skipped: 'warn', failed: 'bad' } as const;

const Verdict = ({ verdict }: { readonly verdict: JudgementReply }): JSX.Element => (
  <p>
    <span className={`badge ${STATUS[verdict.status]}`}>{verdict.status}</span>{' '}
    {verdict.value !== null && (
      <strong>{typeof verdict.value === 'boolean' ? (verdict.value ? 'yes' : 'no') : verdict.value}</strong>
    )}{' '}
    {verdict.reason}{' '}
    <span className="dim">
      {durationText(verdict.durationMs)}
      {verdict.costUsd !== null && verdict.costUsd > 0 && `, ${moneyText(verdict.costUsd)}`}
    </span>
  </p>
);
