import type { JSX } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { termOf } from '../../../lib/filter-terms.ts';

type Props = {
  readonly kind: 'agent' | 'tool' | 'model';
  readonly name: string;
  readonly className?: string;
};

/** The page of an agent or tool, or the calls of a model. */
export function NodeLink({ kind, name, className }: Props): JSX.Element {
  if (kind === 'agent')
    return (
      <ProjectLink page="agents/$agentName" params={{ agentName: name }} title={name} className={className}>
        {name}
      </ProjectLink>
    );
  if (kind === 'tool')
    return (
      <ProjectLink page="tools/$toolName" params={{ toolName: name }} title={name} className={className}>
        {name}
      </ProjectLink>
    );
  if (name === '') return <span className="dim">unknown model</span>;
  return (
    <ProjectLink page="events" search={{ filter: termOf('model', name) }} title={name} className={className}>
      {name}
    </ProjectLink>
  );
}
