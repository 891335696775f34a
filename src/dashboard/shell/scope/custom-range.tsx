import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type JSX, useState } from 'react';
import { formatInstant, MINUTE_MS } from '../../../lib/time.ts';
import { type Zone, zoneText } from '../../ui/format.ts';
import css from './range-panel.module.css';
import type { TimeRange } from './time-range.ts';
import { fromField, toField } from './wall-time.ts';

type Props = {
  readonly range: TimeRange;
  readonly zone: Zone;
  readonly onApply: (start: string, end: string) => void;
};
type Ends = { readonly from: number; readonly to: number };

/** From and to, to the minute; the minute of the end counts as a whole. Another zone shows the same instants. */
export function CustomRange({ range, zone, onApply }: Props): JSX.Element {
  const [given, setGiven] = useState<Ends>(() => ({ from: range.from, to: range.to ?? Date.now() }));
  const [shown, setShown] = useState(() => textsOf(given, zone));
  const [start, setStart] = useState(range.from);
  const from = fromField(shown.from, given.from, shown.zone);
  const to = fromField(shown.to, given.to, shown.zone);
  // The days of a named range begin at another instant in another zone; what was typed stays.
  if (start !== range.from) {
    setStart(range.from);
    const were = textsOf(given, shown.zone);
    if (were.from === shown.from && were.to === shown.to) {
      const now = { from: range.from, to: range.to ?? Date.now() };
      setGiven(now);
      setShown(textsOf(now, zone));
    }
  } else if (shown.zone !== zone) {
    const now = { from: from ?? given.from, to: to ?? given.to };
    setGiven(now);
    setShown(textsOf(now, zone));
  }
  const isEdited = to !== given.to;
  const end = to === null ? null : isEdited ? to + MINUTE_MS - 1 : to;
  const valid = from !== null && end !== null && from <= end;
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    if (from !== null && end !== null && valid) onApply(formatInstant(from), formatInstant(end));
  };
  const field = { type: 'datetime-local', size: 'xs', max: '9999-12-31T23:59' } as const;
  return (
    <form className={css.customRange} onSubmit={apply}>
      <TextInput
        {...field}
        label={`From (${zoneText(zone)})`}
        value={shown.from}
        onChange={(event) => setShown({ ...shown, from: event.currentTarget.value })}
      />
      <TextInput
        {...field}
        label={`To (${zoneText(zone)})`}
        value={shown.to}
        error={!valid && shown.from !== '' && shown.to !== '' ? 'The end is before the start' : undefined}
        onChange={(event) => setShown({ ...shown, to: event.currentTarget.value })}
      />
      <Button type="submit" disabled={!valid} fullWidth>
        Apply
      </Button>
    </form>
  );
}

const textsOf = ({ from, to }: Ends, zone: Zone): { from: string; to: string; zone: Zone } => ({
  from: toField(from, zone),
  to: toField(to, zone),
  zone,
});
