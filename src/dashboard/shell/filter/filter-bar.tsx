import { Button, CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import { type JSX, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import type { Scope } from '../scope/scope.ts';
import { useFacets } from '../scope/use-facets.ts';
import { useTags } from '../scope/use-tags.ts';
import { completionsOf, type Known } from './completions.ts';
import css from './filter-bar.module.css';
import { syntaxError, useFilter } from './use-filter.ts';

/**
 * What the calls of a page are filtered by: a box to type in, and each part with its way out. Enter adds a part, the
 * back key in an empty box edits the last one.
 */
export function FilterBar({ scope, children }: { scope: Scope; children?: ReactNode }): JSX.Element {
  const filter = useFilter(scope);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() });
  const completions = completionsOf(text, useKnown(scope, list.dropdownOpened));
  const change = (next: string): void => {
    setText(next);
    setError(null);
    list.resetSelectedOption();
    if (next === '') list.closeDropdown();
    else list.openDropdown();
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
    // With an option chosen by the arrow keys, Enter takes the option.
    if (event.key === 'Enter' && list.getSelectedOptionIndex() === -1) {
      event.preventDefault();
      apply(text);
    } else if (event.key === 'Backspace' && text === '' && filter.parts.length > 0) {
      event.preventDefault();
      edit(filter.parts.length - 1);
    }
  };
  const take = (chosen: string): void => {
    const completion = completions.find((one) => one.text === chosen);
    if (completion?.isDone) apply(chosen);
    else change(chosen);
  };
  return (
    <div className="filters">
      {children}
      <Combobox store={list} onOptionSubmit={take}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={box}
            size="xs"
            className={css.box ?? ''}
            role="combobox"
            aria-label="Filter"
            placeholder="Filter: status:failed, model:gpt-*, latency>2s, text"
            leftSection={<Icon name="search" size={14} />}
            value={text}
            error={error}
            onChange={(event) => change(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onClick={() => list.openDropdown()}
            onBlur={() => list.closeDropdown()}
            spellCheck={false}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={completions.length === 0}>
          <Combobox.Options mah={360} className="scrolls" aria-label="Completions">
            {completions.map((completion) => (
              <Combobox.Option key={completion.text} value={completion.text}>
                <span className={css.option}>
                  <code>{completion.shown}</code>
                  <span className="dim">{completion.hint}</span>
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
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

/** Values to offer, fetched when the box is used. */
function useKnown(scope: Scope, enabled: boolean): Known {
  const facets = useFacets(scope, { enabled });
  const tags = useTags(scope.params, { enabled }).data?.tags ?? [];
  const values = (of: readonly { value: string }[] | undefined): readonly string[] | undefined =>
    of?.map(({ value }) => value);
  return {
    model: values(facets?.models),
    provider: values(facets?.providers),
    environment: values(facets?.environments),
    ...Object.fromEntries(tags.map((tag) => [`tag.${tag.name}`, tag.values])),
  };
}
