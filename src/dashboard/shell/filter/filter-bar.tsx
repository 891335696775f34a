import { type JSX, lazy, type ReactNode, useRef } from 'react';
import { useFind } from '../lists/use-find.ts';
import type { Scope } from '../scope/scope.ts';
import { FilterLine } from './filter-line.tsx';
import { syntaxError, useFilter } from './use-filter.ts';

const FilterBox = lazy(async () => ({ default: (await import('./filter-box.tsx')).FilterBox }));

/** What the calls of a page are filtered by. The completions are fetched when the box is first used. */
export function FilterBar({ scope, children }: { scope: Scope; children?: ReactNode }): JSX.Element {
  const filter = useFilter(scope);
  const input = useRef<HTMLInputElement>(null);
  const isLookedFor = useFind(input);
  return (
    <FilterLine
      filter={filter}
      errorOf={syntaxError}
      placeholder="Filter: status:failed, model:gpt-*, latency>2s, text"
      box={(props) => <FilterBox scope={scope} {...props} />}
      input={input}
      note={
        isLookedFor && (
          <span role="status" className="dim">
            The browser finds only the rows on the screen; this filter searches all. Ctrl+F again: the
            browser.
          </span>
        )
      }
    >
      {children}
    </FilterLine>
  );
}
