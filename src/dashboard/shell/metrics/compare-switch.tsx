import { ActionIcon, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { useScope, useSetSearch } from '../scope/scope.ts';
import { isCompared } from './use-metrics.ts';

/** Draws the previous period too, on all charts that can; the address keeps it. */
export function CompareSwitch(): JSX.Element {
  const on = isCompared(useScope());
  const setSearch = useSetSearch();
  const label = 'Compare with the previous period';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={on ? 'light' : 'subtle'}
        {...(on ? {} : { color: 'gray' })}
        size={26}
        aria-label={label}
        aria-pressed={on}
        onClick={() => setSearch({ compare: on ? undefined : '1' }, { replace: true })}
      >
        <Icon name="compare" size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
