import { Button, CloseButton, TextInput } from '@mantine/core';
import {
  type JSX,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  startTransition,
  useRef,
  useState,
} from 'react';
import { Icon } from '../../ui/icons.tsx';
import type { BoxProps } from './completion-box.tsx';
import css from './filter-bar.module.css';
import type { Filter } from './use-filter.ts';

type Props = {
  readonly filter: Filter;
  /** What is wrong with a text; null if nothing is. */
  readonly errorOf: (text: string) => string | null;
  readonly placeholder: string;
  /** The box with completions, which takes the place of the plain one when that is first used. */
  readonly box: (props: BoxProps) => JSX.Element;
  /** Said below the box, such as why the browser's search is not enough. */
  readonly note?: ReactNode;
  readonly input?: RefObject<HTMLInputElement | null>;
  readonly children?: ReactNode;
};

/**
 * A filter to type: a box, and each part with its way out. Enter adds a part, the back key in an empty box edits the
 * last one.
 */
export function FilterLine({ filter, errorOf, placeholder, box, note, input, children }: Props): JSX.Element {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isUsed, setIsUsed] = useState(false);
  const [wasClicked, setWasClicked] = useState(false);
  const own = useRef<HTMLInputElement>(null);
  const ref = input ?? own;
  const change = (next: string): void => {
    setText(next);
    setError(null);
  };
  const apply = (given: string): void => {
    const wrong = errorOf(given);
    if (wrong === null && given.trim() !== '') filter.add(given);
    if (wrong === null) change('');
    else setError(wrong);
  };
  const edit = (place: number): void => {
    change(filter.parts[place] ?? '');
    filter.remove(place);
    ref.current?.focus();
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
  const plain = {
    ref,
    size: 'xs',
    className: css.box ?? '',
    role: 'combobox',
    'aria-label': 'Filter',
    placeholder,
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
          box({ input: plain, wasClicked, onChange: change, onApply: apply })
        ) : (
          <TextInput
            {...plain}
            aria-expanded={false}
            onChange={(event) => change(event.currentTarget.value)}
            // A transition, so that this box stays until the other one is there.
            onFocus={() => startTransition(() => setIsUsed(true))}
            // Before the focus: after it, the other box may already be there.
            onPointerDown={() => setWasClicked(true)}
          />
        )}
      </Suspense>
      {note}
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
