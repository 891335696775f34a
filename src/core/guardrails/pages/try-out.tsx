import { Button, NativeSelect, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { BodyOf } from '../../../http/endpoint.ts';
import type { GuardrailReply, tryEndpoint, VerdictReply } from '../contract.ts';
import { tryApi } from './guardrails-api.ts';
import css from './try-out.module.css';

type Checks = BodyOf<typeof tryEndpoint>['checks'];

/** What is tried if there is no guardrail. */
const USUAL: Checks = [
  { kind: 'pii', config: {}, action: 'redact' },
  { kind: 'secrets', config: {}, action: 'redact' },
  { kind: 'prompt_injection', config: {}, action: 'flag' },
];

/** A judge costs a call, and a webhook sends the text away: neither is tried here. */
const triable = ({ checks }: GuardrailReply): Checks =>
  (checks as Checks).filter(({ kind }) => kind !== 'judge' && kind !== 'webhook');

const OUTCOMES = {
  allow: { label: 'Allowed', tone: 'good' },
  flag: { label: 'Flagged', tone: 'warn' },
  redact: { label: 'Redacted', tone: 'warn' },
  block: { label: 'Blocked', tone: 'bad' },
} as const;

/** A text that was checked, and what came of it. */
type Tried = { readonly text: string; readonly verdict: VerdictReply };

/** A box in which a text can be checked. Nothing of it is stored. */
export function TryOut({ guardrails }: { readonly guardrails: readonly GuardrailReply[] }): JSX.Element {
  const projectId = useProjectId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const own = guardrails.find(({ id }) => id === chosen);
  const checks = own === undefined ? USUAL : triable(own);
  const check = useChange({
    failed: 'The text was not checked',
    send: async () => {
      const stage = own?.stage === 'output' ? 'output' : 'input';
      setTried({
        text,
        verdict: await send(tryApi, { query: { projectId }, body: { text, stage, checks } }),
      });
    },
    stale: [],
  });
  return (
    <Panel title="Try a text" detail="Nothing is stored: neither the text nor an event">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <Textarea
          label="Text"
          placeholder="Paste a text, such as: my card is 4539 5787 6362 1486"
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          autosize
          minRows={3}
          maxRows={14}
          maxLength={400_000}
          required
          spellCheck={false}
        />
        <div className="inline-form">
          <NativeSelect
            size="xs"
            aria-label="Checks"
            data={[
              { value: '', label: 'Personal data, secrets and prompt injection' },
              ...guardrails.map(({ id, name }) => ({ value: id, label: `Guardrail ${name}` })),
            ]}
            value={chosen}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
          />
          <Button type="submit" size="xs" loading={check.isPending} disabled={checks.length === 0}>
            Check the text
          </Button>
          {own !== undefined && checks.length < own.checks.length && (
            <span className="dim">Judges and webhooks are not asked here.</span>
          )}
        </div>
      </form>
      {tried !== null && <Outcome {...tried} />}
    </Panel>
  );
}

function Outcome({ text, verdict }: Tried): JSX.Element {
  const { action, results, durationMs } = verdict;
  const { label, tone } = OUTCOMES[action];
  const found = results.flatMap(({ check, matches }) => matches.map((match) => ({ ...match, check })));
  const failed = results.filter(({ error }) => error !== undefined);
  return (
    <div className={css.outcome} aria-live="polite">
      <p>
        <span className={`badge ${tone}`}>{label}</span>{' '}
        <span className="dim">
          {found.length === 0 ? 'Nothing was found' : `${found.length} found`} in {durationMs.toFixed(1)} ms
        </span>
      </p>
      {failed.map(({ check, error }) => (
        <p key={check}>
          {check} could not be made: {error}
        </p>
      ))}
      {found.length > 0 && (
        <>
          <pre className={css.text}>{marked(text, found)}</pre>
          <DataTable
            label="What was found"
            rows={found}
            rowKey={({ check, type, start, end }) => `${check} ${type} ${start} ${end}`}
            columns={withCells<(typeof found)[number]>([
              { id: 'type', header: 'Type', value: ({ type }) => type },
              { id: 'check', header: 'Check', value: ({ check }) => check },
              { id: 'place', header: 'Place', value: ({ start }) => start, cell: placeText },
              {
                id: 'text',
                header: 'Text',
                wide: true,
                value: ({ start, end }) => text.slice(start, Math.min(end, start + 200)),
              },
            ])}
          />
        </>
      )}
      {verdict.text !== undefined && (
        <>
          <h3>Redacted text</h3>
          <pre className={css.text}>{verdict.text}</pre>
        </>
      )}
    </div>
  );
}

const placeText = ({ start, end }: { start: number; end: number }): string => `${start}–${end}`;

type Place = { readonly start: number; readonly end: number; readonly type: string };

/** The text with its places marked; a place inside of another one is part of it. */
function marked(text: string, found: readonly Place[]): (string | JSX.Element)[] {
  const pieces: (string | JSX.Element)[] = [];
  let last = 0;
  for (const { start, end, type } of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < last) continue;
    pieces.push(text.slice(last, start));
    pieces.push(
      <mark key={start} title={type}>
        {text.slice(start, end)}
      </mark>,
    );
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces;
}
