import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { IconName } from '../../dashboard/ui/icon-paths.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';

/** Instead of figures where there is nothing to count. */
export const NoCalls = ({ icon }: { icon: IconName }): JSX.Element => (
  <Panel>
    <Notice
      icon={icon}
      title="No calls in this time"
      action={<ProjectLink page="start">Send events to this project</ProjectLink>}
    >
      Choose a longer range or another environment.
    </Notice>
  </Panel>
);
