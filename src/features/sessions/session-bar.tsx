import { SegmentedControl, TextInput } from '@mantine/core';
import { type JSX, useRef } from 'react';
import { UserLink } from '../../core/events/widgets/person-link.tsx';
import { useFind } from '../../dashboard/shell/lists/use-find.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import type { SessionReply } from './contract.ts';
import css from './session-timeline.module.css';

type Props = {
  readonly session: SessionReply['session'];
  /** `all` spans, or calls only. */
  readonly kind: 'all' | undefined;
  /** What is searched for. */
  readonly text: string;
  readonly onText: (text: string) => void;
};

/** Search in a session, which of its spans are listed, its user, and links to its traces and events. */
export function SessionBar({ session, kind, text, onText }: Props): JSX.Element {
  const setSearch = useSetSearch<'sessions/$sessionId'>();
  const box = useRef<HTMLInputElement>(null);
  const isLookedFor = useFind(box);
  const hasOthers = session.llm_calls > 0 && session.spans > session.llm_calls;
  return (
    <>
      <div className="inline-form">
        <TextInput
          ref={box}
          size="xs"
          className={css.search}
          aria-label="Search in this session"
          placeholder="Search names, models, errors, content"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onText('')}
          maxLength={200}
          leftSection={<Icon name="search" size={14} />}
        />
        {hasOthers && (
          <SegmentedControl
            size="xs"
            aria-label="Listed spans"
            value={kind ?? 'calls'}
            onChange={(value) => setSearch({ kind: value === 'all' ? 'all' : undefined }, { replace: true })}
            data={[
              { value: 'calls', label: 'Calls' },
              { value: 'all', label: 'All spans' },
            ]}
          />
        )}
        {session.user_id !== null && (
          <>
            <span className="dim">User</span>
            <span className="clip">
              <UserLink id={session.user_id} />
            </span>
          </>
        )}
        <Elsewhere session={session} />
      </div>
      {isLookedFor && text === '' && (
        <p className="dim" role="status">
          Searches the whole session, also what is off the screen. Ctrl+F again: the browser.
        </p>
      )}
    </>
  );
}

/** Links to the traces and events of the session. */
function Elsewhere({ session }: { session: SessionReply['session'] }): JSX.Element {
  const search = {
    sessionId: session.session_id,
    start: session.start,
    end: session.end,
    range: undefined,
    environment: undefined,
  };
  return (
    <span className="filters-end arrival-links">
      <ProjectLink page="traces" search={search}>
        Traces
      </ProjectLink>
      <ProjectLink page="events" search={search}>
        Events
      </ProjectLink>
    </span>
  );
}
