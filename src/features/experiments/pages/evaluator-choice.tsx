import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import type { NewExperimentBody } from '../input/contract.ts';
import { judgeLibraryApi, listEvaluatorsApi } from './experiments-api.ts';

/** What is chosen: values of the boxes, and the model of ready judges. */
export type Choice = { readonly boxes: readonly string[]; readonly judgeModel: string };
export const FIRST_CHOICE: Choice = { boxes: ['exact'], judgeModel: '' };

type Given = NonNullable<NewExperimentBody['evaluators']>[number];
const READY = 'ready ';
const SAVED = 'saved ';

/** The evaluators that a choice means. */
export function useEvaluators({ boxes, judgeModel: model }: Choice): Given[] {
  const library = useApi(judgeLibraryApi, {}).data?.judges ?? [];
  return boxes.flatMap((box): Given[] => {
    if (box === 'exact') return [{ kind: 'exact', scoreName: 'accuracy', config: { ignoreCase: true } }];
    if (box.startsWith(SAVED)) return [{ kind: 'saved', name: box.slice(SAVED.length) }];
    const ready = library.find(({ id }) => `${READY}${id}` === box);
    if (ready === undefined || model === '') return [];
    const { id, messages } = ready;
    const categories = ready.output.categories === null ? null : [...ready.output.categories];
    const config = { model, messages: [...messages] };
    return [{ kind: 'judge', scoreName: id, config, output: { ...ready.output, categories } }];
  });
}

type Props = {
  readonly choice: Choice;
  readonly models: readonly string[];
  readonly onChange: (choice: Choice) => void;
};

/** Evaluators of the project, an exact match, and ready judges with a model. */
export function EvaluatorChoice({ choice, models, onChange }: Props): JSX.Element {
  const query = { projectId: useProjectId() };
  const saved = useApi(listEvaluatorsApi, { query }).data?.evaluators ?? [];
  const library = useApi(judgeLibraryApi, {}).data?.judges ?? [];
  const hasReady = choice.boxes.some((box) => box.startsWith(READY));
  return (
    <>
      <Checkbox.Group
        label="Evaluators"
        description="How outputs are scored. Scores of the baseline are compared item by item."
        value={[...choice.boxes]}
        onChange={(boxes) => onChange({ ...choice, boxes })}
      >
        <Stack gap={6} mt={6}>
          <Checkbox value="exact" label="accuracy: the output is the expected one" />
          {saved.map(({ id, name, version, kind }) => (
            <Checkbox key={id} value={`${SAVED}${name}`} label={`${name} (${kind}, version ${version})`} />
          ))}
          {models.length > 0 &&
            library.map(({ id, title, description }) => (
              <Checkbox
                key={id}
                value={`${READY}${id}`}
                label={`${title} (ready judge)`}
                description={description}
              />
            ))}
        </Stack>
      </Checkbox.Group>
      {hasReady && (
        <NativeSelect
          label="Model of the ready judges"
          required
          value={choice.judgeModel}
          data={[{ value: '', label: 'Choose a model' }, ...models]}
          onChange={({ currentTarget: { value } }) => onChange({ ...choice, judgeModel: value })}
        />
      )}
    </>
  );
}
