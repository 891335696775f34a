import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { type JSX, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import type { Completion } from './completions.ts';
import css from './filter-bar.module.css';

export type BoxProps = {
  /** Of the plain box, which has the focus when this takes its place. */
  readonly input: TextInputProps & {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly value: string;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
  /** Whether the focus came by a click, which opens the completions. */
  readonly wasClicked: boolean;
  readonly onChange: (text: string) => void;
  readonly onApply: (text: string) => void;
};

type List = ReturnType<typeof useCombobox>;

/** The list of completions below a box. */
export function useCompletions({ wasClicked, input }: BoxProps): List {
  const list = useCombobox({
    defaultOpened: wasClicked || input.value !== '',
    onDropdownClose: () => list.resetSelectedOption(),
  });
  return list;
}

type Props = BoxProps & { readonly list: List; readonly completions: readonly Completion[] };

/** The box of a filter with completions of what is typed. */
export function CompletionBox({ input, list, completions, onChange, onApply }: Props): JSX.Element {
  const { ref: box } = input;
  // The box before this one had the focus, and lost it to nothing when it went: taken back before a key is lost.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, [box]);
  const change = (next: string): void => {
    onChange(next);
    list.resetSelectedOption();
    if (next === '') list.closeDropdown();
    else list.openDropdown();
  };
  const take = (chosen: string): void => {
    if (completions.find(({ text }) => text === chosen)?.isDone) {
      onApply(chosen);
      list.closeDropdown();
    } else change(chosen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // With an option chosen by the arrow keys, Enter takes the option.
    if (event.key === 'Enter' && list.getSelectedOptionIndex() !== -1) return;
    input.onKeyDown(event);
    if (event.key === 'Enter') list.closeDropdown();
  };
  return (
    <Combobox store={list} onOptionSubmit={take}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...input}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onClick={() => list.openDropdown()}
          onBlur={() => list.closeDropdown()}
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
  );
}
