import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { OnlineRule, RuleInput } from '../contract.ts';
import { changeApi, createApi, deleteApi, evaluatorsApi, listApi } from './rules-api.ts';

type Props = { readonly rule: OnlineRule | null; readonly onClose: () => void };

/** A new rule, or one to change. */
export function RuleDialog({ rule, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const evaluators = useApi(evaluatorsApi, { query: { projectId } }).data?.evaluators ?? [];
  const [inMemory, setInMemory] = useState(rule?.judgesUnstored ?? false);
  const [enabled, setEnabled] = useState(rule?.enabled ?? true);
  const form = useSubmit(async (fields) => {
    const body: RuleInput = {
      name: fields.name ?? '',
      evaluatorId: fields.evaluatorId ?? '',
      filter: fields.filter ?? '',
      sampleRate: Number(fields.sample) / 100,
      delaySeconds: Number(fields.delay),
      monthlyUsd: fields.cap?.trim() ? Number(fields.cap) : null,
      judgesUnstored: inMemory,
      enabled,
    };
    if (rule === null) await send(createApi, { query: { projectId }, body });
    else await send(changeApi, { query: { projectId }, params: { id: rule.id }, body });
    await refresh(listApi);
    onClose();
  });
  const title = rule === null ? 'New online rule' : `Edit ${rule.name}`;
  return (
    <FormDialog
      title={title}
      form={form}
      submit={rule === null ? 'Create rule' : 'Save rule'}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={60}
        defaultValue={rule?.name ?? ''}
        data-autofocus
      />
      <NativeSelect
        // The options come after the first drawing.
        key={evaluators.length}
        label="Evaluator"
        name="evaluatorId"
        required
        data={[
          { value: '', label: 'Choose an evaluator' },
          ...evaluators.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        defaultValue={rule?.evaluatorId ?? ''}
      />
      <TextInput
        label="Filter"
        description="Such as environment:production -agent:bot. Empty: all traces."
        name="filter"
        maxLength={2_000}
        defaultValue={rule?.filter ?? ''}
      />
      <TextInput
        label="Sample in %"
        description="Of whole traces, decided by their ids."
        name="sample"
        type="number"
        step="any"
        min={0.0001}
        max={100}
        required
        defaultValue={rule === null ? 10 : Math.round(rule.sampleRate * 1e8) / 1e6}
      />
      <TextInput
        label="Delay in seconds"
        description="How long a trace has no new span before it is judged."
        name="delay"
        type="number"
        min={0}
        max={86_400}
        required
        defaultValue={rule?.delaySeconds ?? 120}
      />
      <TextInput
        label="Monthly cap in USD"
        description="Empty: only the cap of this server."
        name="cap"
        type="number"
        step="any"
        min={0}
        defaultValue={rule?.monthlyUsd ?? ''}
      />
      <Checkbox
        label="Judge content that is not stored"
        description="It is held in memory until it is judged, and forgotten then."
        checked={inMemory}
        onChange={({ currentTarget }) => setInMemory(currentTarget.checked)}
      />
      <Checkbox
        label="On"
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      {rule !== null && <DeleteRule rule={rule} onDeleted={onClose} />}
    </FormDialog>
  );
}

function DeleteRule({ rule, onDeleted }: { rule: OnlineRule; onDeleted: () => void }): JSX.Element {
  const projectId = useProjectId();
  const remove = useChange({
    failed: 'The rule was not deleted',
    done: `${rule.name} was deleted`,
    send: async () => {
      await send(deleteApi, { query: { projectId }, params: { id: rule.id } });
      onDeleted();
    },
    stale: [listApi],
  });
  return (
    <div>
      <Confirm
        label="Delete rule"
        title={`Delete ${rule.name}?`}
        confirm="Delete rule"
        onConfirm={() => remove.mutate()}
      >
        Its backlog of {rule.waiting} traces goes with it. Its scores stay.
      </Confirm>
    </div>
  );
}
