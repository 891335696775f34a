import { Button } from '@mantine/core';
import type { JSX } from 'react';
import type { StoredEvent } from '../../../core/events/contract.ts';
import { CopyText } from '../../../dashboard/ui/copy-text.tsx';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { saveFile } from '../../../dashboard/ui/save-file.ts';
import { type CsvValue, toCsv } from '../../../lib/csv.ts';
import { countText } from '../../../lib/figures.ts';
import type { Selection } from './use-selection.ts';

type Props = {
  readonly selection: Selection;
  /** How many events are loaded. */
  readonly loaded: number;
  /** Of the columns that are shown, in order. */
  readonly fields: readonly (keyof StoredEvent)[];
};

const nameOf = (ending: string): string =>
  `spanledger-events-${new Date().toISOString().slice(0, 10)}.${ending}`;

/** Objects as JSON, as the export of the server writes them. */
const cellOf = (value: unknown): CsvValue =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value);

/** What can be done with the events that are chosen. */
export function SelectionBar({ selection, loaded, fields }: Props): JSX.Element | null {
  const { chosen, chooseAll, clear } = selection;
  if (chosen.size === 0) return null;
  const events = [...chosen.values()];
  const columns = fields.map((field) => ({
    header: field,
    value: (event: StoredEvent) => cellOf(event[field]),
  }));
  return (
    <div className="inline-form" role="group" aria-label="Selected events">
      <span role="status">{countText(chosen.size, 'event')} selected</span>
      <CopyText value={[...chosen.keys()].join('\n')} label="Copy ids" />
      <Save label="CSV" onSave={() => saveFile(nameOf('csv'), toCsv(columns, events))} />
      <Save
        label="NDJSON"
        onSave={() =>
          saveFile(
            nameOf('ndjson'),
            events.map((event) => `${JSON.stringify(event)}\n`).join(''),
            'application/x-ndjson',
          )
        }
      />
      {chosen.size < loaded && (
        <Button variant="subtle" onClick={chooseAll}>
          Select all {countText(loaded, 'loaded event')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}

const Save = ({ label, onSave }: { label: string; onSave: () => void }): JSX.Element => (
  <Button variant="default" leftSection={<Icon name="download" size={14} />} onClick={onSave}>
    {label}
  </Button>
);
