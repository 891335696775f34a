import type { IconName } from '../../ui/icon-paths.ts';
import type { PageName } from '../scope/search.ts';

/** A page that is one for the whole project, not one of many such as a trace. */
type ListedPage = Exclude<PageName, `${string}$${string}`>;

export type Entry = {
  readonly page: ListedPage;
  readonly label: string;
  readonly icon: IconName;
  /** The role without which the page has nothing to show. */
  readonly least?: 'admin';
};
export type Group = { readonly title: string; readonly entries: readonly Entry[] };

/**
 * What people do with a project, in groups: Monitor has figures, Explore lists of what was sent, Respond what asks for
 * action or takes it, Improve what changes prompts and judges answers, Data how events arrive. A group without entries
 * is not shown. Pages that are tabs of another, as those of Costs, have no entry.
 */
export const NAVIGATION: readonly Group[] = [
  {
    title: 'Monitor',
    entries: [
      { page: 'overview', label: 'Overview', icon: 'overview' },
      { page: 'ask', label: 'Ask', icon: 'sessions' },
      { page: 'dashboards', label: 'Dashboards', icon: 'dashboards' },
      { page: 'costs', label: 'Costs', icon: 'costs' },
      { page: 'performance', label: 'Performance', icon: 'performance' },
      { page: 'errors', label: 'Errors', icon: 'errors' },
      { page: 'deployments', label: 'Deployments', icon: 'deployments' },
    ],
  },
  {
    title: 'Explore',
    entries: [
      { page: 'events', label: 'Events', icon: 'events' },
      { page: 'traces', label: 'Traces', icon: 'traces' },
      { page: 'sessions', label: 'Sessions', icon: 'sessions' },
      { page: 'users', label: 'Users', icon: 'users' },
      { page: 'agents', label: 'Agents', icon: 'agents' },
      { page: 'tools', label: 'Tools', icon: 'tools' },
      { page: 'bookmarks', label: 'Bookmarks', icon: 'views' },
    ],
  },
  {
    title: 'Respond',
    entries: [
      { page: 'alerts', label: 'Alerts', icon: 'alerts' },
      { page: 'incidents', label: 'Incidents', icon: 'incidents' },
      { page: 'anomalies', label: 'Anomalies', icon: 'chart' },
      { page: 'recommendations', label: 'Savings', icon: 'usage' },
      { page: 'budgets', label: 'Budgets', icon: 'budgets' },
      { page: 'guardrails', label: 'Guardrails', icon: 'guardrails' },
    ],
  },
  {
    title: 'Improve',
    entries: [
      { page: 'prompts', label: 'Prompts', icon: 'prompts' },
      { page: 'playground', label: 'Playground', icon: 'playground' },
      { page: 'datasets', label: 'Datasets', icon: 'table' },
      { page: 'experiments', label: 'Experiments', icon: 'experiments' },
      { page: 'simulations', label: 'Simulations', icon: 'simulations' },
      { page: 'evaluators', label: 'Evaluators', icon: 'evaluators' },
      { page: 'annotation-queues', label: 'Annotation', icon: 'annotate' },
    ],
  },
  {
    title: 'Data',
    entries: [
      { page: 'start', label: 'Send events', icon: 'start' },
      { page: 'quarantine', label: 'Quarantine', icon: 'quarantine' },
      { page: 'inspector', label: 'OTLP inspector', icon: 'inspect' },
    ],
  },
];

/** The pages behind the one entry "Settings". The first is what the entry opens. */
export const SETTINGS: readonly Group[] = [
  {
    title: 'Project',
    entries: [
      { page: 'project', label: 'General', icon: 'settings' },
      { page: 'keys', label: 'API keys', icon: 'key' },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { page: 'organization', label: 'Organization', icon: 'settings' },
      { page: 'members', label: 'Members', icon: 'users' },
      { page: 'access-tokens', label: 'Access tokens', icon: 'key' },
      { page: 'channels', label: 'Channels', icon: 'live' },
      { page: 'deliveries', label: 'Deliveries', icon: 'log' },
      { page: 'scheduled-reports', label: 'Scheduled reports', icon: 'calendar' },
      { page: 'prices', label: 'Prices', icon: 'costs' },
      { page: 'usage', label: 'Usage', icon: 'usage' },
      { page: 'statements', label: 'Statements', icon: 'costs' },
      { page: 'audit', label: 'Audit log', icon: 'log', least: 'admin' },
    ],
  },
];

const PAGES_LISTED = [...NAVIGATION, ...SETTINGS].flatMap(({ entries }) => entries.map(({ page }) => page));

/**
 * The listed page that a path below a project belongs to: its own, or the list that one thing is of.
 * `costs/statement` belongs to `costs`, `traces/abc` to `traces`; undefined for a path that belongs to none.
 */
export const listedPageOf = (path: string): ListedPage | undefined =>
  PAGES_LISTED.filter((page) => path === page || path.startsWith(`${page}/`)).toSorted(
    (a, b) => b.length - a.length,
  )[0];
