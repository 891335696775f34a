import { type JSX, lazy, Suspense } from 'react';
import { StatusBadge } from '../../core/events/widgets/status-badge.tsx';
import type { CallEnd } from '../../core/models/contract.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { durationText, numberText } from '../../lib/figures.ts';
import css from './playground.module.css';
import type { Run } from './use-runs.ts';

const Code = lazy(async () => ({
  default: (await import('../../core/events/widgets/reading/code-block.tsx')).CodeBlock,
}));

/** A cost with all its digits: calls of the playground are cheap. */
const usdText = (usd: number): string => `$${usd.toFixed(9).replace(/(\.\d{4}\d*?)0+$/, '$1')}`;

/** What a run says, what it was expected to cost, and what it cost. */
export function RunResult({ run }: { run: Run }): JSX.Element {
  const { expected, text, reasoning, toolCalls, notes, end, error, isRunning } = run;
  return (
    <div className="stack">
      {expected !== null && end === null && (
        <p className="dim num">
          {expected.costUsd === null
            ? 'The price of this model is not known'
            : `Expected ${usdText(expected.costUsd)}, at most ${usdText(expected.maxCostUsd ?? 0)}`}
        </p>
      )}
      {reasoning !== '' && (
        <details>
          <summary>Reasoning</summary>
          <div className={css.text}>{reasoning}</div>
        </details>
      )}
      <section
        className={css.output}
        aria-label="Answer"
        aria-live="polite"
        aria-busy={isRunning}
        tabIndex={0}
      >
        {text}
        {isRunning && text === '' && <span className="dim">Waiting for the model …</span>}
      </section>
      {toolCalls.map(({ id, name, arguments: args }) => (
        <Suspense key={id}>
          <Code text={`${name}(${JSON.stringify(args, null, 2)})`} label={`Call of the tool ${name}`} />
        </Suspense>
      ))}
      {notes.map((note) => (
        <p key={note} className="dim">
          {note}
        </p>
      ))}
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      {end !== null && <End end={end} expected={expected?.costUsd ?? null} />}
    </div>
  );
}

function End({ end, expected }: { end: CallEnd; expected: number | null }): JSX.Element {
  const tokens = `${numberText(end.inputTokens)} → ${numberText(end.outputTokens)} tokens`;
  return (
    <footer className={css.end}>
      {end.error !== null && (
        <p role="alert" className="form-error">
          {end.error}
        </p>
      )}
      {end.outputProblem !== null && (
        <p role="alert" className="form-error">
          {`The output does not match the schema: ${end.outputProblem}`}
        </p>
      )}
      <p className="num">
        <StatusBadge status={end.status} />{' '}
        <strong>{end.costUsd === null ? 'cost unknown' : usdText(end.costUsd)}</strong>
        {expected !== null && <span className="dim">{` · expected ${usdText(expected)}`}</span>}
      </p>
      <p className="dim num">
        {[tokens, durationText(end.latencyMs), end.finishReason].filter((fact) => fact !== null).join(' · ')}
      </p>
      <ProjectLink page="events" search={{ event: end.eventId, at: end.timestamp, environment: undefined }}>
        Event and explanation of its cost
      </ProjectLink>
    </footer>
  );
}
