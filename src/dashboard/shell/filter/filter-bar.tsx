import { Button, CloseButton, TextInput } from '@mantine/core';
import {
  type JSX,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useRef,
  useState,
} from 'react';
import { Icon } from '../../ui/icons.tsx';
import { useFind } from '../lists/use-find.ts';
import type { Scope } from '../scope/scope.ts';
import css from './filter-bar.module.css';
import { syntaxError, useFilter } from './use-filter.ts';

const FilterBox = lazy(async () => ({ default: (await import('./filter-box.tsx')).FilterBox }));

/**
 * What the calls of a page are filtered by: a box to type in, and each part with its way out. Enter adds a part, the
 * back key in an empty box edits the last one. The completions are fetched when the box is first used.
 */
export function FilterBar({ scope, children }: { scope: Scope; children?: ReactNode }): JSX.Element {
  const filter = useFilter(scope);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isUsed, setIsUsed] = useState(false);
  const [wasClicked, setWasClicked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const isLookedFor = useFind(box);
  const change = (next: string): void => {
    setText(next);
    setError(null);
  };
  const apply = (given: string): void => {
    const wrong = syntaxError(given);
    if (wrong === null && given.trim() !== '') filter.add(given);
    if (wrong === null) change('');
    else setError(wrong);
  };
  const edit = (place: number): void => {
    change(filter.parts[place] ?? '');
    filter.remove(place);
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      apply(text);
    } else if (event.key === 'Backspace' && text === '' && filter.parts.length > 0) {
      event.preventDefault();
      edit(filter.parts.length - 1);
    }
  };
  const input = {
    ref: box,
    size: 'xs',
    className: css.box ?? '',
    role: 'combobox',
    'aria-label': 'Filter',
    placeholder: 'Filter: status:failed, model:gpt-*, latency>2s, text',
    leftSection: <Icon name="search" size={14} />,
    value: text,
    error,
    onKeyDown,
    spellCheck: false,
  } as const;
  return (
    <div className="filters">
      {children}
      <Suspense>
        {isUsed ? (
          <FilterBox scope={scope} input={input} wasClicked={wasClicked} onChange={change} onApply={apply} />
        ) : (
          <TextInput
            {...input}
            aria-expanded={false}
            onChange={(event) => change(event.currentTarget.value)}
            // A transition, so that this box stays until the other one is there.
            onFocus={() => startTransition(() => setIsUsed(true))}
            // Before the focus: after it, the other box may already be there.
            onPointerDown={() => setWasClicked(true)}
          />
        )}
      </Suspense>
      {isLookedFor && (
        <span role="status" className="dim">
          The browser finds only the rows on the screen; this filter searches all. Ctrl+F again: the browser.
        </span>
      )}
      {filter.parts.map((part, place) => (
        <span key={part} className={css.part}>
          <button type="button" className={css.edit} title="Change this part" onClick={() => edit(place)}>
            {part}
          </button>
          <CloseButton size={18} aria-label={`Remove filter ${part}`} onClick={() => filter.remove(place)} />
        </span>
      ))}
      {filter.parts.length > 1 && (
        <Button variant="subtle" color="gray" onClick={filter.clear}>
          Clear filter
        </Button>
      )}
    </div>
  );
}
