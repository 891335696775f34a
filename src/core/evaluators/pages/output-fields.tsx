import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { OutputDraft } from './draft.ts';

type OutputProps = {
  readonly output: OutputDraft;
  readonly onChange: (change: Partial<OutputDraft>) => void;
};

/** What a judge or a webhook answers. */
export function OutputFields({ output, onChange }: OutputProps): JSX.Element {
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
