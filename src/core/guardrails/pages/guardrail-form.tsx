import { Button, Group, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormModal } from '../../../dashboard/ui/form-modal.tsx';
import type { BodyOf } from '../../../http/endpoint.ts';
import type { createGuardrailEndpoint, GuardrailReply } from '../contract.ts';
import { CheckSettings } from './check-settings.tsx';
import { type DraftCheck, KINDS, type Kind, newCheck, toChecks, toDrafts } from './draft-checks.ts';
import { CHANGED, createGuardrailApi, putGuardrailApi } from './guardrails-api.ts';

type Input = BodyOf<typeof createGuardrailEndpoint>;
type Draft = Pick<
  GuardrailReply,
  'name' | 'description' | 'stage' | 'failureMode' | 'sampleRate' | 'enabled'
> & {
  readonly environments: string;
};

const EMPTY: Draft = {
  name: '',
  description: '',
  stage: 'both',
  failureMode: 'open',
  environments: '',
  sampleRate: 1,
  enabled: true,
};

const STAGES = [
  { value: 'both', label: 'Input and output' },
  { value: 'input', label: 'Input: what goes to a model' },
  { value: 'output', label: 'Output: what a model answers' },
];
const FAILURES = [
  { value: 'open', label: 'The text passes' },
  { value: 'closed', label: 'The text is blocked' },
];

type Props = { readonly guardrail: GuardrailReply | null; readonly onClose: () => void };

/** Makes a guardrail, or the next version of one. */
export function GuardrailForm({ guardrail, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const [draft, setDraft] = useState<Draft>(
    guardrail === null ? EMPTY : { ...guardrail, environments: guardrail.environments.join(', ') },
  );
  const [checks, setChecks] = useState<readonly DraftCheck[]>(() =>
    toDrafts(guardrail?.checks ?? [newCheck('pii')]),
  );
  const set = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const save = useChange({
    failed: 'The guardrail was not saved',
    send: async () => {
      const { name, description, stage, failureMode, sampleRate, enabled } = draft;
      const environments = draft.environments.split(/[\s,]+/).filter((one) => one !== '');
      const body = {
        ...{ name, description, stage, failureMode, sampleRate, enabled, environments },
        checks: toChecks(checks) as Input['checks'],
      };
      if (guardrail === null) await send(createGuardrailApi, { query: { projectId }, body });
      else await send(putGuardrailApi, { params: { id: guardrail.id }, query: { projectId }, body });
      onClose();
    },
    stale: CHANGED,
    done: 'The guardrail was saved',
  });
  return (
    <FormModal
      onClose={onClose}
      title={guardrail === null ? 'New guardrail' : `Edit ${guardrail.name}`}
      size="lg"
      busy={save.isPending}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput
          label="Name"
          description="Code names it, such as guardrails: ['pii']"
          value={draft.name}
          onChange={({ currentTarget: { value } }) => set({ name: value })}
          required
          maxLength={80}
          data-autofocus
        />
        <TextInput
          label="Description"
          value={draft.description}
          onChange={({ currentTarget: { value } }) => set({ description: value })}
          maxLength={1_000}
        />
        <NativeSelect
          label="Looks at"
          data={STAGES}
          value={draft.stage}
          onChange={({ currentTarget: { value } }) => set({ stage: value as Draft['stage'] })}
        />
        <Checks checks={checks} onChange={setChecks} />
        <NativeSelect
          label="If a check cannot be made"
          data={FAILURES}
          value={draft.failureMode}
          onChange={({ currentTarget: { value } }) => set({ failureMode: value as Draft['failureMode'] })}
        />
        <TextInput
          label="Environments"
          description="Separated by commas; empty: all"
          value={draft.environments}
          onChange={({ currentTarget: { value } }) => set({ environments: value })}
          placeholder="production"
        />
        <NumberInput
          label="Sample rate"
          description="Percentage of texts that are checked"
          value={draft.sampleRate * 100}
          onChange={(value) => set({ sampleRate: Math.min(1, Math.max(0, Number(value) / 100)) })}
          min={0}
          max={100}
          suffix=" %"
        />
        <Switch
          label="On"
          checked={draft.enabled}
          onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {guardrail === null ? 'Create guardrail' : 'Save'}
          </Button>
        </Group>
      </form>
    </FormModal>
  );
}

type ChecksProps = {
  readonly checks: readonly DraftCheck[];
  readonly onChange: (checks: readonly DraftCheck[]) => void;
};

/** The checks: their kind, what they do, and their settings. */
function Checks({ checks, onChange }: ChecksProps): JSX.Element {
  const change = (at: number, part: Partial<DraftCheck>): void =>
    onChange(checks.map((check, i) => (i === at ? { ...check, ...part } : check)));
  return (
    <fieldset className="form">
      <legend>Checks</legend>
      {checks.map(({ id, kind, action, values }, i) => (
        <div key={id} className="form">
          <Group gap="xs" align="flex-end">
            <NativeSelect
              label={`Check ${i + 1}`}
              data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
              value={kind}
              onChange={({ currentTarget: { value } }) =>
                change(i, { ...toDrafts([newCheck(value as Kind)])[0], id })
              }
            />
            <NativeSelect
              label="Action"
              data={KINDS[kind].actions}
              value={action}
              onChange={({ currentTarget: { value } }) =>
                change(i, { action: value as DraftCheck['action'] })
              }
            />
            <Button
              variant="default"
              disabled={checks.length === 1}
              onClick={() => onChange(checks.filter((_, place) => place !== i))}
              aria-label={`Remove check ${i + 1}`}
            >
              Remove
            </Button>
          </Group>
          <CheckSettings
            kind={kind}
            values={values}
            onChange={(name, value) => change(i, { values: { ...values, [name]: value } })}
          />
        </div>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={checks.length >= 20}
          onClick={() => onChange([...checks, ...toDrafts([newCheck('secrets')])])}
        >
          Add a check
        </Button>
      </Group>
    </fieldset>
  );
}
