import type { JSX } from 'react';
import type { Scope } from '../scope/scope.ts';
import { useFacets } from '../scope/use-facets.ts';
import { useScoreNames } from '../scope/use-score-names.ts';
import { useTags } from '../scope/use-tags.ts';
import { useValues } from '../scope/use-values.ts';
import { type BoxProps, CompletionBox, useCompletions } from './completion-box.tsx';
import { completionsOf, fieldOf, type Known } from './completions.ts';
import { FIELDS } from './fields.ts';

/** The box of the filter of calls, with completions from what the project has. */
export function FilterBox({ scope, ...box }: BoxProps & { readonly scope: Scope }): JSX.Element {
  const list = useCompletions(box);
  const field = list.dropdownOpened ? fieldOf(box.input.value) : null;
  const own = useValues(scope, field);
  const known = useKnown(scope, list.dropdownOpened);
  const values = own.map(({ value }) => value);
  const completions = completionsOf(box.input.value, {
    fields: FIELDS,
    known: field === null || own.length === 0 ? known : { ...known, [field]: values },
    nameOf: (value) => own.find((one) => one.value === value)?.name ?? value,
  });
  return <CompletionBox {...box} list={list} completions={completions} />;
}

/** Values to offer, fetched when the box is used. */
function useKnown(scope: Scope, enabled: boolean): Known {
  const facets = useFacets(scope, { enabled });
  const tags = useTags(scope.params, { enabled }).data?.tags ?? [];
  const scores = useScoreNames(scope.params, { enabled });
  const values = (of: readonly { value: string }[] | undefined): readonly string[] | undefined =>
    of?.map(({ value }) => value);
  return {
    model: values(facets?.models),
    provider: values(facets?.providers),
    environment: values(facets?.environments),
    ...Object.fromEntries(tags.map((tag) => [`tag.${tag.name}`, tag.values])),
    ...scores,
  };
}
