import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { RootCause } from './contract.ts';

/** Leads to what explains the change of a measure in the range and with the filter of the page. */
export const ExplainLink = ({ measure }: { measure: RootCause['measure'] }): JSX.Element => (
  <ProjectLink page="root-cause" search={{ measure }}>
    Explain this change
  </ProjectLink>
);
