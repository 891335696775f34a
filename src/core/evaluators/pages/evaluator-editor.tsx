import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { EvaluatorInput, EvaluatorKind } from '../config/contract.ts';
import { type Draft, toInput } from './draft.ts';
import { JudgeFields } from './judge-fields.tsx';
import { KIND_LABELS } from './kind-fields.ts';
import { RuleFields } from './rule-fields.tsx';
import { TryPanel } from './try-panel.tsx';
import { WebhookFields } from './webhook-fields.tsx';

type Props = {
  readonly start: Draft;
  /** Of a saved one. */
  readonly evaluatorId?: string;
  readonly submit: string;
  readonly onSave: (input: EvaluatorInput) => Promise<void>;
};

/** An evaluator in a form, beside an example to try it on before it is saved. */
export function EvaluatorEditor({ start, evaluatorId, submit, onSave }: Props): JSX.Element {
  const { may } = useMember();
  const [draft, setDraft] = useState(start);
  const change = (given: Partial<Draft>): void => setDraft((before) => ({ ...before, ...given }));
  const form = useSubmit(async () => onSave(toInput(draft)));
  return (
    <div className="stack">
      <Panel title="Evaluator">
        <form onSubmit={form.onSubmit} className="form">
          <TextInput
            label="Name"
            required
            maxLength={60}
            value={draft.name}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <TextInput
            label="Name of its scores"
            description="As measures have it: score:NAME."
            required
            maxLength={60}
            value={draft.scoreName}
            onChange={({ currentTarget: { value } }) => change({ scoreName: value })}
          />
          <Textarea
            label="Description"
            autosize
            maxLength={2_000}
            value={draft.description}
            onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
          <NativeSelect
            label="Kind"
            data={Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }))}
            value={draft.kind}
            onChange={({ currentTarget: { value } }) => change({ kind: value as EvaluatorKind, fields: {} })}
          />
          {draft.kind === 'judge' ? (
            <JudgeFields draft={draft} onChange={change} />
          ) : draft.kind === 'webhook' ? (
            <WebhookFields draft={draft} onChange={change} />
          ) : (
            <RuleFields kind={draft.kind} fields={draft.fields} onChange={(fields) => change({ fields })} />
          )}
          <p role="alert" className="form-error">
            {form.failure}
          </p>
          {may('member') && (
            <div className="inline-form">
              <Button type="submit" loading={form.busy}>
                {submit}
              </Button>
            </div>
          )}
        </form>
      </Panel>
      {may('member') && <TryPanel draft={draft} evaluatorId={evaluatorId} />}
    </div>
  );
}
