import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import type { Draft, OutputDraft } from './draft.ts';
import { modelsApi } from './evaluators-api.ts';

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

type OutputProps = {
  readonly output: OutputDraft;
  readonly onChange: (change: Partial<OutputDraft>) => void;
};

function OutputFields({ output, onChange }: OutputProps): JSX.Element {
  return (
    <>
      <NativeSelect
        label="Answer"
        data={[
          { value: 'boolean', label: 'Yes or no' },
          { value: 'numeric', label: 'A number' },
          { value: 'category', label: 'One of some words' },
        ]}
        value={output.type}
        onChange={({ currentTarget: { value } }) => onChange({ type: value as OutputDraft['type'] })}
      />
      {output.type === 'numeric' && (
        <div className="inline-form">
          <TextInput
            label="Least"
            type="number"
            value={output.min}
            onChange={({ currentTarget: { value } }) => onChange({ min: value })}
          />
          <TextInput
            label="Greatest"
            type="number"
            value={output.max}
            onChange={({ currentTarget: { value } }) => onChange({ max: value })}
          />
        </div>
      )}
      {output.type === 'category' && (
        <Textarea
          label="Words, one per line"
          required
          autosize
          minRows={2}
          value={output.categories}
          onChange={({ currentTarget: { value } }) => onChange({ categories: value })}
        />
      )}
      <NativeSelect
        label="Good values"
        data={[
          { value: 'higher', label: output.type === 'boolean' ? 'Yes' : 'High' },
          { value: 'lower', label: output.type === 'boolean' ? 'No' : 'Low' },
          { value: 'none', label: 'Neither' },
        ]}
        value={output.direction}
        onChange={({ currentTarget: { value } }) =>
          onChange({ direction: value as OutputDraft['direction'] })
        }
      />
    </>
  );
}
