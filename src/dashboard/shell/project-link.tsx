import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useProjectId } from './scope/scope.ts';
import { kept, type Search } from './scope/search.ts';

export type ProjectLinkProps = {
  /** Path below the project, such as `events` or `traces/abc`. */
  readonly page: string;
  /** What the target's address says, on top of the window and environment that go along. */
  readonly search?: Search | undefined;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
};

/** A link to another page of this project which keeps the time range and the environment. */
export function ProjectLink({ page, search = {}, children, ...rest }: ProjectLinkProps): JSX.Element {
  const projectId = useProjectId();
  return (
    <Link
      to={projectPath(projectId, page)}
      search={((before: Search) => ({ ...kept(before), ...search })) as never}
      {...rest}
    >
      {children}
    </Link>
  );
}

export const projectPath = (projectId: string, page: string): string =>
  `/projects/${encodeURIComponent(projectId)}/${page}`;
