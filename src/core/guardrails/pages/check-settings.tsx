import { Text, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { KINDS, type Kind, type Setting } from './draft-checks.ts';

type Props = {
  readonly kind: Kind;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
};

/** A field for each setting of a check. */
export function CheckSettings({ kind, values, onChange }: Props): JSX.Element {
  const { settings, hint } = KINDS[kind];
  return (
    <>
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      {settings.map((setting) => (
        <Field
          key={setting.name}
          setting={setting}
          value={values[setting.name] ?? ''}
          onChange={(value) => onChange(setting.name, value)}
        />
      ))}
    </>
  );
}

type FieldProps = {
  readonly setting: Setting;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Field({ setting, value, onChange }: FieldProps): JSX.Element {
  const { label, hint, as, isRequired } = setting;
  const shared = {
    label,
    value,
    spellCheck: as === 'long',
    ...(hint !== undefined && { description: hint }),
    ...(isRequired && { required: true }),
  };
  if (as === 'long' || as === 'lines' || as === 'json') {
    return (
      <Textarea
        {...shared}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autosize
        minRows={2}
        maxRows={10}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...(as === 'number' && { inputMode: 'decimal' as const })}
    />
  );
}
