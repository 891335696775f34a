import type { JSX } from 'react';
import { type BoxProps, CompletionBox, useCompletions } from './completion-box.tsx';
import { completionsOf, type Fields, type Known } from './completions.ts';

type Props = BoxProps & {
  readonly fields: Fields;
  readonly known: Known;
  readonly nameOf: (value: string) => string;
};

/** The box of a filter of rows, with completions from what the rows have. */
export function RowFilterBox({ fields, known, nameOf, ...box }: Props): JSX.Element {
  const list = useCompletions(box);
  const completions = completionsOf(box.input.value, { fields, known, nameOf });
  return <CompletionBox {...box} list={list} completions={completions} />;
}
