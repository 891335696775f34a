import type { JSX, ReactNode } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';

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

/** The page of one session. */
export const SessionLink = ({ id, className, children }: ThingProps): JSX.Element => (
  <ProjectLink page="sessions/$sessionId" params={{ sessionId: id }} title={id} className={className}>
    {children ?? id}
  </ProjectLink>
);
