import type { JSX, ReactNode } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import type { SearchOf } from '../../../dashboard/shell/scope/search.ts';

type ThingProps = {
  readonly id: string;
  readonly className?: string;
  readonly children?: ReactNode;
};

/** The page of one end user. */
export const UserLink = ({ id, className, children }: ThingProps): JSX.Element => (
  <ProjectLink page="users/$userId" params={{ userId: id }} title={id} className={className}>
    {children ?? id}
  </ProjectLink>
);

type SessionProps = ThingProps & { readonly search?: SearchOf<'sessions/$sessionId'> };

/** The page of one session. `search`: filters of the list, for the way back. */
export const SessionLink = ({ id, className, search, children }: SessionProps): JSX.Element => (
  <ProjectLink
    page="sessions/$sessionId"
    params={{ sessionId: id }}
    search={search}
    title={id}
    className={className}
  >
    {children ?? id}
  </ProjectLink>
);
