import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { numberText } from '../../lib/figures.ts';
import { termOf } from '../../lib/filter-terms.ts';
import css from './budget-subject.module.css';
import type { Budget, BudgetOf, BudgetPeriod } from './contract.ts';

/** Kinds of subjects, as a form offers them. */
export const KINDS: Readonly<Record<BudgetOf['kind'], string>> = {
  organization: 'Organization',
  project: 'Project',
  key: 'API key',
  user: 'End user',
  tag: 'Tag value',
  agent: 'Agent',
  tool: 'Tool',
};

export const PERIODS: Readonly<Record<BudgetPeriod, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

type Names = { readonly projects: ReadonlyMap<string, string>; readonly keys: ReadonlyMap<string, string> };

/** The subject, with names where they are known. */
export function subjectOf(of: BudgetOf, { projects, keys }: Names): string {
  const project = (id: string): string => projects.get(id) ?? 'a deleted project';
  switch (of.kind) {
    case 'organization':
      return 'All projects';
    case 'project':
      return `Project ${project(of.projectId)}`;
    case 'key':
      return `API key ${keys.get(of.keyId) ?? of.keyId}`;
    case 'user':
      return `User ${of.userId} in ${project(of.projectId)}`;
    case 'tag':
      return `${of.tag}=${of.value} in ${of.projectId === undefined ? 'all projects' : project(of.projectId)}`;
    case 'agent':
      return `Agent ${of.agent} in ${project(of.projectId)}`;
    case 'tool':
      return `Tool ${of.tool} in ${project(of.projectId)}`;
  }
}

/**
 * The events that a budget's period has counted so far: in which project, and by which filters. Null where they
 * are of several projects, or of one that is not known.
 */
export function eventsOf(
  { of, status }: Budget,
  projects: readonly string[],
  projectOfKey: (keyId: string) => string | undefined,
): { readonly projectId: string; readonly search: EventsSearch } | null {
  const [first] = projects;
  const only = projects.length === 1 ? first : undefined;
  const projectId =
    of.kind === 'key' ? projectOfKey(of.keyId) : of.kind === 'organization' ? only : (of.projectId ?? only);
  if (projectId === undefined || !projects.includes(projectId)) return null;
  return { projectId, search: { start: status.periodStart, ...filtersOf(of) } };
}

function filtersOf(of: BudgetOf): EventsSearch {
  switch (of.kind) {
    case 'key':
      return { keyId: of.keyId };
    case 'user':
      return { userId: of.userId };
    case 'tag':
      return { tag: `${of.tag}=${of.value}` };
    case 'agent':
      return { filter: termOf('agent', of.agent) };
    case 'tool':
      return { filter: termOf('tool', of.tool) };
    default:
      return {};
  }
}

/** Why the figures of a budget are incomplete. */
const untrackedText = ({ kind }: BudgetOf): string =>
  kind === 'tag'
    ? 'This tag has too many values; this one has no figures of its own'
    : `Not all calls of this period can be read by ${kind}; the amounts may be too low`;

/** Name and subject of a budget, with what its figures do not include. */
export const BudgetName = ({ budget, subject }: { budget: Budget; subject: string }): JSX.Element => {
  const { search } = useScope('budgets');
  const { unpriced, calls, tracked } = budget.status;
  return (
    <span className={css.twoLines}>
      <ProjectLink
        page="budgets"
        search={{ q: search.q, budget: budget.id }}
        className="row-link clip"
        title={budget.name}
      >
        {budget.name}
      </ProjectLink>
      <span className="dim clip" title={subject}>
        {subject}
        {unpriced > 0 && (
          <span
            className="warn"
            title={`${numberText(unpriced)} of ${numberText(calls)} calls have no price; no amount includes them`}
          >
            {` · ${numberText(unpriced)} unpriced`}
          </span>
        )}
        {!tracked && (
          <span className="warn" title={untrackedText(budget.of)}>
            {budget.of.kind === 'tag' ? ' · not tracked' : ' · incomplete'}
          </span>
        )}
      </span>
    </span>
  );
};

type EventsLinkProps = NonNullable<ReturnType<typeof eventsOf>> & { readonly children: string };

/** The events of a period; of another project too. */
export const EventsLink = ({ projectId, search, children }: EventsLinkProps): JSX.Element => (
  <Link to="/projects/$projectId/events" params={{ projectId }} search={search}>
    {children}
  </Link>
);
