import type { JSX } from 'react';
import type { TraceLine } from '../../core/events/contract.ts';
import { Money } from '../../core/pricing/money.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { durationText, numberText } from '../../lib/figures.ts';
import css from './session-timeline.module.css';

/** The name of a trace over its events, with what it adds up to. */
export const TraceHead = ({ trace }: { trace: TraceLine }): JSX.Element => (
  <div className={css.traceHead}>
    <span className="clip">
      <ProjectLink
        page="traces/$traceId"
        params={{ traceId: trace.trace_id }}
        className={css.traceTitle}
        title={trace.name}
      >
        {trace.name}
      </ProjectLink>
      {trace.errors > 0 && <span className="badge bad badge-after">{numberText(trace.errors)} failed</span>}
    </span>
    <span className="dim num">
      {numberText(trace.spans)} spans
      {trace.llm_calls > 0 && (
        <>
          {' · '}
          <Money usd={trace.cost_usd} unpriced={trace.unpriced} calls={trace.llm_calls} />
        </>
      )}
      {` · ${durationText(trace.duration_ms)}`}
    </span>
  </div>
);
