import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { pagePath, searchFrom } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import type { SearchOf } from '../../../dashboard/shell/scope/search.ts';

type Props = {
  readonly page: 'alerts' | 'alerts/new' | 'alerts/$alertId';
  readonly alertId?: string;
  readonly search?: SearchOf<'alerts/new' | 'alerts/$alertId'>;
  readonly variant?: 'filled' | 'default';
  readonly children: ReactNode;
};

/** A link to a page of alerts that looks like a button. */
export function LinkButton({ page, alertId = '', search, variant = 'filled', children }: Props): JSX.Element {
  const projectId = useProjectId();
  return (
    <Button
      variant={variant}
      renderRoot={(root) => (
        <Link
          to={pagePath(projectId, page, { alertId })}
          search={(before) => searchFrom(before, search)}
          {...root}
        />
      )}
    >
      {children}
    </Button>
  );
}
