import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type JSX, type KeyboardEvent, useRef } from 'react';
import { useFind } from '../../dashboard/shell/lists/use-find.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { countText, numberText } from '../../lib/figures.ts';
import css from './trace-bar.module.css';
import type { Found } from './use-found.ts';

type Props = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly found: Found;
  /** Spans in which failures began. */
  readonly failures: readonly number[];
  /** The place of the span that is shown in full. */
  readonly selected: number;
  /** Shows a span, whatever is folded. */
  readonly onGo: (place: number) => void;
  readonly onFold: (all: boolean) => void;
};

/** The one after or before a place among some, round the end. */
const step = (places: readonly number[], from: number, by: 1 | -1): number | undefined =>
  by === 1
    ? (places.find((place) => place > from) ?? places[0])
    : (places.findLast((place) => place < from) ?? places.at(-1));

/** Search, failures and folding of a trace. */
export function TraceBar({ text, onText, found, failures, selected, onGo, onFold }: Props): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const isLookedFor = useFind(input);
  const go = (places: readonly number[], by: 1 | -1): void => {
    const to = step(places, selected, by);
    if (to !== undefined) onGo(to);
  };
  useHotkeys([
    ['s', () => input.current?.focus()],
    ['f', () => go(failures, 1)],
    ['shift+f', () => go(failures, -1)],
    ['n', () => go(found.places, 1)],
    ['shift+n', () => go(found.places, -1)],
  ]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') go(found.places, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onText('');
    else return;
    event.preventDefault();
  };
  return (
    <div className={css.bar}>
      <TextInput
        ref={input}
        size="xs"
        className={css.search}
        aria-label="Search in this trace"
        placeholder="Search names, models, errors, content"
        title="Key s; Enter goes to the next match"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={press}
        maxLength={200}
        leftSection={<Icon name="search" size={14} />}
      />
      {isLookedFor && text === '' && (
        <span className="dim" role="status">
          Searches all spans, also those off the screen. Ctrl+F again: the browser.
        </span>
      )}
      {text.trim() !== '' && (
        <span className={css.steps} role="status">
          <span className="dim num">{matchText(found, selected)}</span>
          <Step
            label="Previous match"
            flip
            onClick={() => go(found.places, -1)}
            off={found.places.length === 0}
          />
          <Step label="Next match" onClick={() => go(found.places, 1)} off={found.places.length === 0} />
        </span>
      )}
      <span className={css.end}>
        {failures.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            className="bad"
            title="Key f"
            onClick={() => go(failures, 1)}
          >
            {failures.length === 1 ? 'Show failure' : `Next of ${countText(failures.length, 'failure')}`}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => onFold(true)}>
          Collapse all
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onFold(false)}>
          Expand all
        </Button>
      </span>
    </div>
  );
}

function matchText({ places, isSearching }: Found, selected: number): string {
  if (places.length === 0) return isSearching ? 'Searching …' : 'No match';
  const at = places.indexOf(selected);
  const count = countText(places.length, 'match').replace('matchs', 'matches');
  return at < 0 ? count : `${numberText(at + 1)} of ${numberText(places.length)}`;
}

type StepProps = {
  readonly label: string;
  readonly onClick: () => void;
  readonly off: boolean;
  readonly flip?: boolean;
};

const Step = ({ label, onClick, off, flip = false }: StepProps): JSX.Element => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={22}
    aria-label={label}
    disabled={off}
    onClick={onClick}
    className={flip ? 'flip' : undefined}
  >
    <Icon name="chevron" size={14} />
  </ActionIcon>
);
