import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { DAY_MS } from '../../../lib/time.ts';
import type { FoundItems } from '../input/contract.ts';

/** Which traces a queue gets: the fields that `foundOf` reads. */
export const SourceFields = ({ filter }: { readonly filter: string }): JSX.Element => (
  <>
    <TextInput
      label="Filter"
      description="Such as environment:production status:success. Empty: all traces."
      name="filter"
      maxLength={2_000}
      defaultValue={filter}
    />
    <div className="inline-form">
      <TextInput label="Last days" name="days" type="number" min={1} max={3_650} required defaultValue={7} />
      <TextInput
        label="Sample in %"
        name="sample"
        type="number"
        step="any"
        min={0.0001}
        max={100}
        required
        defaultValue={100}
      />
      <TextInput label="At most" name="limit" type="number" min={1} max={1_000} required defaultValue={50} />
    </div>
  </>
);

/** What these fields say. @param now epoch milliseconds */
export const foundOf = (fields: Readonly<Record<string, string>>, now: number): FoundItems => ({
  filter: fields.filter ?? '',
  start: new Date(now - Number(fields.days) * DAY_MS).toISOString(),
  sampleRate: Number(fields.sample) / 100,
  limit: Number(fields.limit),
});
