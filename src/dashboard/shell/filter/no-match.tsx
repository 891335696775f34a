import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { WhichPart } from '../../../core/events/widgets/which-part.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { Notice } from '../../ui/states.tsx';
import type { Scope } from '../scope/scope.ts';
import { useFilter } from './use-filter.ts';

type Props = {
  readonly scope: Pick<Scope, 'search' | 'params'>;
  readonly icon: IconName;
  /** What the page has none of, such as `calls`. */
  readonly what: string;
  /** Shown instead if the page has no filter. */
  readonly children: ReactNode;
};

/** For a page without rows or figures: its filter may be the cause, and can be cleared here. */
export function NoMatch({ scope, icon, what, children }: Props): ReactNode {
  const filter = useFilter(scope);
  if (filter.parts.length === 0) return children;
  return (
    <Notice
      icon={icon}
      title={`No matching ${what} in this time`}
      action={
        <Button variant="default" onClick={filter.clear}>
          Clear filter
        </Button>
      }
    >
      <WhichPart params={scope.params} what="calls" />
    </Notice>
  );
}
