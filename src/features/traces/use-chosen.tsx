import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { TraceLine } from '../../core/events/contract.ts';
import type { Column } from '../../dashboard/ui/data-table.tsx';

/** Most traces that can be chosen: what one request takes. */
const MOST = 100;

/** Traces that are chosen by their ids. `column` has their boxes; `chosen` is null while nobody chooses. */
export type Chosen = {
  readonly chosen: ReadonlySet<string> | null;
  readonly column: Column<TraceLine> | null;
  readonly begin: () => void;
  readonly end: () => void;
};

/** Lets the reader choose traces of a list. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const column: Column<TraceLine> | null =
    chosen === null
      ? null
      : {
          id: 'choose',
          header: '',
          cell: ({ trace_id, name }) => (
            <Checkbox
              size="xs"
              aria-label={`Choose ${name || trace_id}`}
              checked={chosen.has(trace_id)}
              disabled={chosen.size >= MOST && !chosen.has(trace_id)}
              onChange={({ currentTarget: { checked } }) => {
                const next = new Set(chosen);
                if (checked) next.add(trace_id);
                else next.delete(trace_id);
                setChosen(next);
              }}
            />
          ),
        };
  return { chosen, column, begin: () => setChosen(new Set()), end: () => setChosen(null) };
}
