import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { wordsOf } from './cost-dimensions.tsx';

/** Second dimensions, by the names of the API. */
const ACROSS = {
  model: true,
  provider: true,
  environment: true,
  userId: true,
  key: true,
  release: true,
  agent: true,
  agentVersion: true,
  tool: true,
  promptName: true,
  promptVersion: true,
} as const;

/** The second dimension that the address asks for; null for none, and where it is the first one. */
export const acrossOf = (
  { across }: { readonly across?: string | undefined },
  by: string | null,
): string | null =>
  across === undefined || by === null || by === 'day' || across === by || !isOneOf(across, ACROSS)
    ? null
    : across;

/** By what the table is split a second time. */
export function AcrossControl({ by, across }: { by: string; across: string | null }): JSX.Element {
  const setSearch = useSetSearch<'costs'>();
  return (
    <NativeSelect
      size="xs"
      aria-label="Also split by"
      value={across ?? ''}
      onChange={({ currentTarget: { value } }) =>
        setSearch({ across: value === '' ? undefined : value }, { replace: true })
      }
      data={[
        { value: '', label: 'By one dimension' },
        ...Object.keys(ACROSS)
          .filter((name) => name !== by)
          .map((name) => ({ value: name, label: `and by ${wordsOf(name).label.toLowerCase()}` })),
      ]}
    />
  );
}
