import type { JSX } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import type { EventsSearch } from '../../../dashboard/shell/scope/search.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';

type ModelLinkProps = {
  readonly model: string;
  /** What narrows its events further. */
  readonly search?: EventsSearch;
  readonly className?: string | undefined;
  /** Shown in place of the model's name. */
  readonly children?: string;
};

/** The events of a model; of calls without one there is nothing to lead to. */
export const ModelLink = ({ model, search, className, children = model }: ModelLinkProps): JSX.Element =>
  model === NO_MODEL ? (
    <span className="dim">No model</span>
  ) : (
    <ProjectLink page="events" search={{ ...search, model }} className={className} title={children}>
      {children}
    </ProjectLink>
  );
