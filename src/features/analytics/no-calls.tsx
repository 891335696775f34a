import type { JSX } from 'react';
import { DeletedNote } from '../../core/events/widgets/deleted-note.tsx';
import { NoMatch } from '../../dashboard/shell/filter/no-match.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import type { IconName } from '../../dashboard/ui/icon-paths.ts';
import { Notice } from '../../dashboard/ui/states.tsx';

type Props = {
  readonly scope: Pick<Scope, 'search' | 'params'>;
  readonly icon: IconName;
  /** What to do; by default a wider window. */
  readonly advice?: string;
  /** `deletedBefore` of the reply. */
  readonly deletedBefore?: string | undefined;
};

/** Instead of figures where there is nothing to count. */
export const NoCalls = ({
  scope,
  icon,
  advice = 'Choose a longer range or another environment.',
  deletedBefore,
}: Props): JSX.Element => (
  <NoMatch scope={scope} icon={icon} what="calls">
    <Notice
      icon={icon}
      title="No calls in this time"
      action={<ProjectLink page="start">Send events to this project</ProjectLink>}
    >
      {advice}
      <DeletedNote before={deletedBefore} />
    </Notice>
  </NoMatch>
);
