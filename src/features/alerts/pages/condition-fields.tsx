import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { type FieldsProps, unitOf } from './rule-form.ts';
import {
  DIRECTION_LABELS,
  KIND_LABELS,
  NO_DATA_LABELS,
  OPERATOR_LABELS,
  SENSITIVITY_LABELS,
} from './rule-options.ts';
import { COMPARED_TEXT, WINDOW_TEXT } from './rule-words.ts';

const optionsOf = (labels: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** When a rule fires. Fields appear as they matter. */
export function ConditionFields(props: FieldsProps): JSX.Element {
  const { form, set } = props;
  return (
    <div className="form">
      <SegmentedControl
        size="xs"
        aria-label="Kind of condition"
        value={form.kind}
        onChange={(kind) => isOneOf(kind, KIND_LABELS) && set({ kind })}
        data={optionsOf(KIND_LABELS)}
      />
      <NativeSelect
        label="Over"
        value={form.window}
        onChange={({ currentTarget: { value } }) => isOneOf(value, WINDOW_TEXT) && set({ window: value })}
        data={optionsOf(WINDOW_TEXT)}
      />
      {form.kind === 'threshold' && <ThresholdFields {...props} />}
      {form.kind === 'change' && <ChangeFields {...props} />}
      {form.kind === 'anomaly' && (
        <NativeSelect
          label="Sensitivity"
          description="Compared with the same hour of the week in the last four weeks; it learns for 14 days"
          value={form.sensitivity}
          onChange={({ currentTarget: { value } }) =>
            isOneOf(value, SENSITIVITY_LABELS) && set({ sensitivity: value })
          }
          data={optionsOf(SENSITIVITY_LABELS)}
        />
      )}
      <MoreFields {...props} />
    </div>
  );
}

function ThresholdFields({ form, set, problemOf }: FieldsProps): JSX.Element {
  const { unit } = unitOf(form.measure);
  const [hasWarning, setHasWarning] = useState(form.warning !== '');
  return (
    <>
      <Group grow gap="sm" align="start">
        <NativeSelect
          label="Is"
          value={form.operator}
          onChange={({ currentTarget: { value } }) =>
            isOneOf(value, OPERATOR_LABELS) && set({ operator: value })
          }
          data={optionsOf(OPERATOR_LABELS)}
        />
        <NumberField
          label={`Critical (${unit})`}
          value={form.critical}
          error={problemOf('critical')}
          onChange={(critical) => set({ critical })}
        />
      </Group>
      {hasWarning ? (
        <NumberField
          label={`Warning (${unit})`}
          value={form.warning}
          error={problemOf('warning')}
          onChange={(warning) => set({ warning })}
        />
      ) : (
        <Group>
          <Button variant="subtle" size="compact-xs" onClick={() => setHasWarning(true)}>
            Add a warning
          </Button>
        </Group>
      )}
    </>
  );
}

const ChangeFields = ({ form, set, problemOf }: FieldsProps): JSX.Element => (
  <>
    <Group grow gap="sm" align="start">
      <NativeSelect
        label="It"
        value={form.direction}
        onChange={({ currentTarget: { value } }) =>
          isOneOf(value, DIRECTION_LABELS) && set({ direction: value })
        }
        data={optionsOf(DIRECTION_LABELS)}
      />
      <NumberField
        label="By at least (%)"
        value={form.percent}
        error={problemOf('percent')}
        onChange={(percent) => set({ percent })}
      />
    </Group>
    <NativeSelect
      label="Against"
      value={form.compare}
      onChange={({ currentTarget: { value } }) => isOneOf(value, COMPARED_TEXT) && set({ compare: value })}
      data={optionsOf(COMPARED_TEXT)}
    />
  </>
);

/** What most rules leave as it is; open where this one does not. */
function MoreFields({ form, set, problemOf }: FieldsProps): JSX.Element {
  const { minRequests, forMinutes, noData } = form;
  const [isOpen, setIsOpen] = useState(minRequests !== '0' || forMinutes !== '0' || noData !== 'ignore');
  if (!isOpen)
    return (
      <Group>
        <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
          Few calls, short peaks, no data…
        </Button>
      </Group>
    );
  return (
    <>
      <Group grow gap="sm" align="start">
        <NumberField
          label="With at least (calls)"
          value={minRequests}
          error={problemOf('minRequests')}
          onChange={(value) => set({ minRequests: value })}
        />
        <NumberField
          label="For (minutes)"
          value={forMinutes}
          error={problemOf('forMinutes')}
          onChange={(value) => set({ forMinutes: value })}
        />
      </Group>
      <NativeSelect
        label="Without calls"
        value={noData}
        onChange={({ currentTarget: { value } }) => isOneOf(value, NO_DATA_LABELS) && set({ noData: value })}
        data={optionsOf(NO_DATA_LABELS)}
      />
    </>
  );
}

type NumberFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

/** A number that may be half written. */
export const NumberField = ({ label, value, error, onChange }: NumberFieldProps): JSX.Element => (
  <TextInput
    label={label}
    inputMode="decimal"
    autoComplete="off"
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value.replace(',', '.'))}
  />
);
