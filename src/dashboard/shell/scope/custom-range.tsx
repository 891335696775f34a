import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type JSX, useState } from 'react';
import { formatInstant, parseInstant } from '../../../lib/time.ts';
import type { Zone } from '../../ui/format.ts';
import css from './custom-range.module.css';
import type { TimeRange } from './time-range.ts';

type Props = {
  readonly range: TimeRange;
  readonly zone: Zone;
  readonly onApply: (start: string, end: string) => void;
};

/** An instant as the browser's own field for date and time holds it. */
const toField = (ms: number, zone: Zone): string => {
  const shift = zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return formatInstant(ms - shift).slice(0, 16);
};

const fromField = (text: string, zone: Zone): number | null =>
  zone === 'utc' ? parseInstant(`${text}:00Z`) : text === '' ? null : new Date(text).getTime();

/** From and to, to the minute; the minute of the end counts as a whole. */
export function CustomRange({ range, zone, onApply }: Props): JSX.Element {
  const [from, setFrom] = useState(() => toField(range.from, zone));
  const [to, setTo] = useState(() => toField(range.to ?? Date.now(), zone));
  const [start, end] = [fromField(from, zone), fromField(to, zone)];
  const valid = start !== null && end !== null && start <= end;
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    if (start !== null && end !== null && valid) onApply(formatInstant(start), formatInstant(end + 59_999));
  };
  const field = { type: 'datetime-local', size: 'xs', max: '9999-12-31T23:59' } as const;
  return (
    <form className={css.customRange} onSubmit={apply}>
      <TextInput
        {...field}
        label="From"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        {...field}
        label={`To (${zone === 'utc' ? 'UTC' : 'local'})`}
        value={to}
        error={!valid && from !== '' && to !== '' ? 'The end is before the start' : undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!valid} fullWidth>
        Apply
      </Button>
    </form>
  );
}
