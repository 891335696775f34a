import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, type ReactNode, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { countText, moneyText, numberText } from '../../../lib/figures.ts';
import { EvaluatorChoice, FIRST_CHOICE, useEvaluators } from './evaluator-choice.tsx';
import {
  CHANGED,
  createExperimentApi,
  estimateApi,
  listDatasetsApi,
  listExperimentsApi,
  listModelsApi,
  listPromptsApi,
} from './experiments-api.ts';

type Fields = Readonly<Record<string, string>>;
const MOST = 100;

function planOf({ datasetId = '', split = '', prompt = '', label = '', model = '' }: Fields) {
  return {
    datasetId,
    ...(split !== '' && { split }),
    task: {
      kind: 'prompt' as const,
      prompt,
      ...(label !== '' && { label }),
      ...(model !== '' && { model }),
    },
  };
}

/** Creates an experiment with a prompt. What it would cost is shown before it starts. */
export function NewExperiment({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const query = { projectId };
  const foundDatasets = useApi(listDatasetsApi, { query: { projectId, limit: MOST } }).data?.datasets;
  const foundModels = useApi(listModelsApi, { query }).data?.models;
  const others = useApi(listExperimentsApi, { query: { projectId, limit: MOST } }).data?.experiments ?? [];
  const foundPrompts = useApi(listPromptsApi, { query: { projectId, limit: MOST } }).data?.prompts;
  const [datasets, prompts, models] = [foundDatasets ?? [], foundPrompts ?? [], foundModels ?? []];
  const lacks = {
    dataset: foundDatasets?.length === 0,
    prompt: foundPrompts?.length === 0,
    model: foundModels?.length === 0,
  };
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const evaluators = useEvaluators(choice);
  const [datasetId, setDatasetId] = useState('');
  const shown = datasets.find(({ id }) => id === datasetId) ?? datasets[0];
  const splits = shown?.splits.flatMap(({ name }) => name ?? []) ?? [];
  const [estimate, setEstimate] = useState<ReactNode>(null);
  const form = useSubmit(async (fields) => {
    const plan = { ...planOf(fields), evaluators };
    if (estimate === null) {
      const { runs, calls, expectedUsd, maxUsd, unusable } = await send(estimateApi, { query, body: plan });
      const cost = expectedUsd === null ? 'a cost that is not known' : `about ${moneyText(expectedUsd)}`;
      const most = maxUsd === null ? '' : `, at most ${moneyText(maxUsd)}`;
      setEstimate(
        <>
          {countText(runs, 'run')}, {countText(calls, 'call')}, {cost}
          {most}.
          {unusable !== null && (
            <span className="warn">
              {' '}
              {numberText(unusable.items)} of the first {countText(unusable.of, 'item')} will fail:{' '}
              {unusable.reason}
            </span>
          )}
        </>,
      );
      return;
    }
    const { name = '', baselineId = '', maxCostUsd = '' } = fields;
    const more = {
      ...(baselineId !== '' && { baselineId }),
      ...(maxCostUsd !== '' && { maxCostUsd: Number(maxCostUsd) }),
    };
    const { id } = await send(createExperimentApi, { query, body: { name, ...plan, ...more } });
    await refresh(...CHANGED);
    await navigate({ to: pagePath(projectId, 'experiments/$experimentId', { experimentId: id }) });
  });
  const none = (label: string) => ({ value: '', label });
  return (
    <FormDialog
      title="New experiment"
      form={form}
      submit={
        Object.values(lacks).includes(true) ? null : estimate === null ? 'Estimate cost' : 'Start experiment'
      }
      onClose={onClose}
      {...(estimate !== null && { note: estimate })}
    >
      <Missing lacks={lacks} />
      <TextInput label="Name" name="name" required maxLength={200} data-autofocus />
      <NativeSelect
        label="Dataset"
        name="datasetId"
        required
        data={datasets.map(({ id, name, items }) => ({
          value: id,
          label: `${name} (${countText(items, 'item')})`,
        }))}
        value={shown?.id ?? ''}
        onChange={({ currentTarget: { value } }) => {
          setDatasetId(value);
          setEstimate(null);
        }}
      />
      {splits.length > 0 && (
        <NativeSelect
          label="Split"
          name="split"
          data={[none('All items'), ...splits]}
          onChange={() => setEstimate(null)}
        />
      )}
      <NativeSelect
        label="Prompt"
        name="prompt"
        required
        data={prompts.map(({ name }) => name)}
        onChange={() => setEstimate(null)}
      />
      <TextInput label="Label" name="label" placeholder="production" onChange={() => setEstimate(null)} />
      <NativeSelect
        label="Model"
        name="model"
        data={[none('As the prompt says'), ...models.map(({ id }) => ({ value: id, label: id }))]}
        onChange={() => setEstimate(null)}
      />
      <EvaluatorChoice
        choice={choice}
        models={models.map(({ id }) => id)}
        onChange={(next) => {
          setChoice(next);
          setEstimate(null);
        }}
      />
      <NativeSelect
        label="Compare with"
        name="baselineId"
        data={[none('Nothing'), ...others.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <TextInput label="Pause before it costs more than (USD)" name="maxCostUsd" inputMode="decimal" />
    </FormDialog>
  );
}

type Lacks = Readonly<Record<'dataset' | 'prompt' | 'model', boolean>>;

/** What must be there before an experiment can run, and where it is made. */
const Missing = ({ lacks: { dataset, prompt, model } }: { readonly lacks: Lacks }): JSX.Element | false =>
  (dataset || prompt || model) && (
    <p role="status">
      An experiment runs a prompt over a dataset with a model of the server.{' '}
      {dataset && (
        <>
          <ProjectLink page="datasets">Create a dataset</ProjectLink> first.{' '}
        </>
      )}
      {prompt && (
        <>
          <ProjectLink page="prompts">Create a prompt</ProjectLink> first.{' '}
        </>
      )}
      {model && 'The operator of this server has set up no models. '}
      To compare outputs of your own program, send them with the{' '}
      <a href="/docs/experiments" target="_blank" rel="noreferrer">
        SDK or API
      </a>
      .
    </p>
  );
