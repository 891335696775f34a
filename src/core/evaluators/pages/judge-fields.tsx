import { NativeSelect, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import type { Draft } from './draft.ts';
import { modelsApi } from './evaluators-api.ts';
import { OutputFields } from './output-fields.tsx';

type Props = { readonly draft: Draft; readonly onChange: (change: Partial<Draft>) => void };

/** The settings of a judge: its model, what it is asked, and what it answers. */
export function JudgeFields({ draft, onChange }: Props): JSX.Element {
  const projectId = useProjectId();
  const models = useApi(modelsApi, { query: { projectId } }).data?.models ?? [];
  const known = models.map(({ id }) => id);
  const listed = draft.model === '' || known.includes(draft.model) ? known : [draft.model, ...known];
  return (
    <>
      <NativeSelect
        label="Model"
        description={models.length === 0 ? 'The operator of this server has set up no models.' : undefined}
        required
        data={[{ value: '', label: 'Choose a model' }, ...listed]}
        value={draft.model}
        onChange={({ currentTarget: { value } }) => onChange({ model: value })}
      />
      {draft.messages.map(({ role, content }, place) => (
        <Textarea
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only changed in their place
          key={place}
          label={role === 'system' ? 'System message' : 'User message'}
          description={
            place === draft.messages.length - 1
              ? 'Variables: {{input}}, {{output}}, {{expected}}, {{context}}. The form of the answer is added.'
              : undefined
          }
          required
          autosize
          minRows={3}
          maxRows={20}
          value={content}
          onChange={({ currentTarget: { value } }) =>
            onChange({
              messages: draft.messages.map((one, i) => (i === place ? { ...one, content: value } : one)),
            })
          }
        />
      ))}
      <OutputFields
        output={draft.output}
        onChange={(change) => onChange({ output: { ...draft.output, ...change } })}
      />
    </>
  );
}
