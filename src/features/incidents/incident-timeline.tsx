import { Button, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { Incident } from './contract.ts';
import css from './incidents.module.css';

type Entry = Incident['timeline'][number];

const WORDS: Readonly<Record<Entry['kind'], string>> = {
  opened: 'opened the incident',
  alert_joined: 'An alert joined',
  alert_changed: 'An alert changed',
  alert_resolved: 'An alert is healthy',
  acknowledged: 'acknowledged it',
  assigned: 'assigned it to',
  commented: 'commented',
  severity_changed: 'changed the severity to',
  title_changed: 'changed the title to',
  notes_changed: 'changed the notes',
  merged: 'merged another incident into it',
  merged_into: 'merged it into another incident',
  resolved: 'resolved it',
  reopened: 'reopened it',
};

/** What was done, and by whom. */
function saying({ kind, person, by, text }: Entry): string {
  if (kind.startsWith('alert_')) return WORDS[kind];
  const who =
    person?.name ??
    (by === 'alerts' ? 'An alert' : by?.startsWith('incidents') ? 'Spanledger' : by) ??
    'Somebody who left';
  return `${who} ${kind === 'assigned' && text === null ? 'assigned it to nobody' : WORDS[kind]}`;
}

/** What happened, oldest first. Texts are shown as they are. */
export function Timeline({ entries }: { entries: readonly Entry[] }): JSX.Element {
  const zone = useZone();
  return (
    <ol className={css.timeline} aria-label="Timeline">
      {entries.map((entry) => (
        <li key={entry.id} className={css.entry}>
          <time className="dim" dateTime={entry.at} title={timeText.full(entry.at, zone)}>
            {timeText.minute(entry.at, zone)}
          </time>
          <div>
            {saying(entry)}
            {entry.text !== null && <p className={css.text}>{entry.text}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A form for a comment. */
export function CommentForm({ onSend }: { onSend: (text: string) => Promise<unknown> }): JSX.Element {
  const form = useSubmit(async ({ text = '' }) => {
    await onSend(text);
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        form.onSubmit(event);
        event.currentTarget.reset();
      }}
    >
      <Textarea label="Comment" name="text" required maxLength={5_000} autosize minRows={2} />
      <p role="alert" className="form-error">
        {form.failure}
      </p>
      <Button type="submit" variant="default" size="xs" loading={form.busy}>
        Comment
      </Button>
    </form>
  );
}
