import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Draft } from './draft.ts';
import { KIND_FIELDS, type KindField, type ListedKind } from './kind-fields.ts';

type Props = {
  readonly kind: ListedKind;
  readonly fields: Draft['fields'];
  readonly onChange: (fields: Draft['fields']) => void;
};

/** The settings of an evaluator that asks no model. */
export const RuleFields = ({ kind, fields, onChange }: Props): JSX.Element => (
  <>
    {KIND_FIELDS[kind].map((field) => (
      <Field
        key={`${kind} ${field.name}`}
        field={field}
        text={fields[field.name] ?? ''}
        onText={(text) => onChange({ ...fields, [field.name]: text })}
      />
    ))}
  </>
);

type FieldProps = {
  readonly field: KindField;
  readonly text: string;
  readonly onText: (text: string) => void;
};

function Field({ field, text, onText }: FieldProps): JSX.Element {
  const { type, label, help, choices = [], required = false } = field;
  if (type === 'yes-no')
    return (
      <Checkbox
        label={label}
        checked={text === 'true'}
        onChange={({ currentTarget }) => onText(String(currentTarget.checked))}
      />
    );
  if (type === 'choice')
    return (
      <NativeSelect
        label={label}
        data={[...choices]}
        value={text === '' ? choices[0] : text}
        onChange={({ currentTarget: { value } }) => onText(value)}
      />
    );
  if (type === 'lines' || type === 'json')
    return (
      <Textarea
        label={label}
        description={help}
        required={required}
        autosize
        minRows={3}
        maxRows={16}
        value={text}
        onChange={({ currentTarget: { value } }) => onText(value)}
      />
    );
  return (
    <TextInput
      label={label}
      description={help}
      required={required}
      {...(type === 'number' && { type: 'number', step: 'any', min: 0 })}
      value={text}
      onChange={({ currentTarget: { value } }) => onText(value)}
    />
  );
}
