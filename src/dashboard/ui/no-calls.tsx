import type { JSX } from 'react';
import type { IconName } from './icons.tsx';
import { Panel } from './page.tsx';
import { ProjectLink } from './project-link.tsx';
import { Notice } from './states.tsx';

/** Instead of figures where there is nothing to count. */
export const NoCalls = ({ icon }: { icon: IconName }): JSX.Element => (
  <Panel>
    <Notice
      icon={icon}
      title="No calls in this time"
      action={<ProjectLink page="start">Send events to this project</ProjectLink>}
    >
      Choose a longer range, or another environment.
    </Notice>
  </Panel>
);
