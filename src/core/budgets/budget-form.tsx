import { Group, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectSelect } from '../../dashboard/shell/scope/project-select.tsx';
import { useProjectId, useScope } from '../../dashboard/shell/scope/scope.ts';
import { useTags } from '../../dashboard/shell/scope/use-tags.ts';
import { useValues } from '../../dashboard/shell/scope/use-values.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { listKeysEndpoint } from '../keys/contract.ts';
import { KINDS, PERIODS } from './budget-subject.tsx';
import type {
  Budget,
  BudgetOf,
  BudgetPeriod,
  createBudgetEndpoint,
  listBudgetEventsEndpoint,
  listBudgetsEndpoint,
  updateBudgetEndpoint,
} from './contract.ts';

const listBudgetsApi = endpointOf<typeof listBudgetsEndpoint>('GET /v1/budgets');
const budgetEventsApi = endpointOf<typeof listBudgetEventsEndpoint>('GET /v1/budgets/events');
const createBudgetApi = endpointOf<typeof createBudgetEndpoint>('POST /v1/budgets');
const updateBudgetApi = endpointOf<typeof updateBudgetEndpoint>('PUT /v1/budgets/:id');
const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

type Props = {
  /** The one to change; null for a new one. */
  readonly budget: Budget | null;
  /** False for those who may only see it. */
  readonly mayEdit: boolean;
  readonly onClose: () => void;
};
type Kind = BudgetOf['kind'];
type Body = Sent<typeof createBudgetEndpoint>['body'];
type Fields = Readonly<Record<string, string>>;

const options = (labels: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const isKind = (text: string): text is Kind => text in KINDS;
const isPeriod = (text: string): text is BudgetPeriod => text in PERIODS;

const DEFAULT_LEVELS = '50, 80, 100';

/** The subject of the budget, as the API takes it. The server refuses what is missing. */
function toOf(kind: Kind, projectId: string, fields: Fields): Body['of'] {
  const { keyId = '', userId = '', tag = '', value = '', agent = '', tool = '' } = fields;
  switch (kind) {
    case 'organization':
      return { kind };
    case 'project':
      return { kind, projectId };
    case 'key':
      return { kind, keyId };
    case 'user':
      return { kind, projectId, userId: userId.trim() };
    case 'tag':
      return { kind, ...(projectId === '' ? {} : { projectId }), tag: tag.trim(), value: value.trim() };
    case 'agent':
      return { kind, projectId, agent: agent.trim() };
    case 'tool':
      return { kind, projectId, tool: tool.trim() };
  }
}

/** Creates or changes a budget. */
export function BudgetForm({ budget, mayEdit, onClose }: Props): JSX.Element {
  const { organizationId } = useMember();
  const here = useProjectId();
  const of = budget?.of;
  const [kind, setKind] = useState<Kind>(of?.kind ?? 'organization');
  const [projectId, setProjectId] = useState(
    of === undefined || of.kind === 'organization' || of.kind === 'key' ? here : (of.projectId ?? ''),
  );
  const save = useChange<Body>({
    failed: 'The budget was not saved',
    inForm: true,
    send: (body) =>
      budget === null
        ? send(createBudgetApi, { query: { organizationId }, body })
        : send(updateBudgetApi, { params: { id: budget.id }, query: { organizationId }, body }),
    stale: [listBudgetsApi, budgetEventsApi],
    done: budget === null ? 'The budget was created' : 'The budget was changed',
  });
  const form = useSubmit(async ({ name = '', limit, levels = '', period = '', ...fields }) => {
    await save.mutateAsync({
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      of: toOf(kind, projectId, fields),
      period: isPeriod(period) ? period : 'month',
      limitUsd: Number(limit),
      levels: levels.split(',').map(Number),
    });
    onClose();
  });
  return (
    <FormDialog
      title={budget === null ? 'New budget' : mayEdit ? 'Edit budget' : 'Budget'}
      form={form}
      submit={mayEdit ? (budget === null ? 'Create budget' : 'Save') : null}
      onClose={onClose}
    >
      <NativeSelect
        label="For"
        value={kind}
        onChange={({ currentTarget: { value } }) => isKind(value) && setKind(value)}
        data={options(KINDS)}
        data-autofocus
      />
      {kind !== 'organization' && (
        <ProjectSelect all={kind === 'tag'} value={projectId} onChange={setProjectId} />
      )}
      <SubjectFields kind={kind} projectId={projectId} of={of} />
      <Group grow gap="sm" align="start">
        <TextInput
          label="Limit"
          name="limit"
          defaultValue={budget?.limitUsd ?? ''}
          inputMode="decimal"
          pattern="[0-9]*[.]?[0-9]+"
          leftSection="$"
          required
        />
        <NativeSelect
          label="Per"
          name="period"
          defaultValue={budget?.period ?? 'month'}
          description="UTC; weeks start on Monday"
          inputWrapperOrder={['label', 'input', 'description']}
          data={options(PERIODS)}
        />
      </Group>
      <TextInput
        label="Warn at"
        name="levels"
        description="Percent of the limit, ascending"
        inputWrapperOrder={['label', 'input', 'description']}
        defaultValue={budget?.levels.join(', ') ?? DEFAULT_LEVELS}
        pattern="\s*[0-9]{1,4}(\s*,\s*[0-9]{1,4})*\s*"
        required
      />
      <TextInput
        label="Name"
        name="name"
        defaultValue={budget?.name ?? ''}
        placeholder="Generated if empty"
        maxLength={200}
      />
    </FormDialog>
  );
}

type SubjectProps = {
  readonly kind: Kind;
  readonly projectId: string;
  readonly of: BudgetOf | undefined;
};

/** Fields of the subject besides the project. */
function SubjectFields({ kind, projectId, of }: SubjectProps): JSX.Element | null {
  if (kind === 'key') return <KeySelect projectId={projectId} given={of?.kind === 'key' ? of.keyId : ''} />;
  if (kind === 'user')
    return (
      <TextInput
        label="User"
        name="userId"
        description="The user_id of their events"
        inputWrapperOrder={['label', 'input', 'description']}
        defaultValue={of?.kind === 'user' ? of.userId : ''}
        maxLength={500}
        required
      />
    );
  if (kind === 'agent' || kind === 'tool') return <NameField kind={kind} projectId={projectId} of={of} />;
  return kind === 'tag' ? <TagFields projectId={projectId} of={of} /> : null;
}

function KeySelect({ projectId, given }: { projectId: string; given: string }): JSX.Element {
  const keys =
    useApi(listKeysApi, { params: { id: projectId } }, { enabled: projectId !== '' }).data?.keys ?? [];
  const known = keys.filter(({ id, state }) => state !== 'revoked' || id === given);
  const isKnown = known.some(({ id }) => id === given);
  return (
    <NativeSelect
      // The keys load after the form; a new list resets the choice.
      key={known.length}
      label="API key"
      name="keyId"
      defaultValue={given}
      required
      data={[
        ...(isKnown ? [] : [{ value: given, label: given === '' ? 'Choose one' : given }]),
        ...known.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

/** Suggests the names of most calls. */
function NameField({ kind, projectId, of }: SubjectProps & { readonly kind: 'agent' | 'tool' }): JSX.Element {
  const names = useValues({ ...useScope(), projectId }, kind);
  return (
    <>
      <TextInput
        key={kind}
        label={KINDS[kind]}
        name={kind}
        list="budget-names"
        description={`The ${kind} field of calls of models`}
        inputWrapperOrder={['label', 'input', 'description']}
        defaultValue={of?.kind === kind ? nameIn(of) : ''}
        maxLength={300}
        autoComplete="off"
        required
      />
      <datalist id="budget-names">
        {names.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

const nameIn = (of: BudgetOf): string => (of.kind === 'agent' ? of.agent : of.kind === 'tool' ? of.tool : '');

/** Suggests names and values that events had; for all projects, those of this one. */
function TagFields({ projectId, of }: { projectId: string; of: BudgetOf | undefined }): JSX.Element {
  const here = useProjectId();
  const given = of?.kind === 'tag' ? of : undefined;
  const [name, setName] = useState(given?.tag ?? '');
  const seen = useTags({ projectId: projectId === '' ? here : projectId }, { enabled: true });
  const tags = seen.data?.tags ?? [];
  const values = tags.find((tag) => tag.name === name)?.values ?? [];
  return (
    <Group grow gap="sm">
      <TextInput
        label="Tag"
        name="tag"
        list="budget-tags"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
        required
      />
      <TextInput
        label="Value"
        name="value"
        list="budget-values"
        defaultValue={given?.value ?? ''}
        maxLength={200}
        autoComplete="off"
        required
      />
      <datalist id="budget-tags">
        {tags.map((tag) => (
          <option key={tag.name} value={tag.name} />
        ))}
      </datalist>
      <datalist id="budget-values">
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </Group>
  );
}
