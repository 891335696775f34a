/** Search parameters of an address. All of them are text, so that a link can be read. */
export type TextSearch<K extends string> = { readonly [P in K]?: string | undefined };

/** Window, environment, filter, live and comparison: what goes along from page to page of a project. */
export const WINDOW = ['range', 'start', 'end', 'environment', 'filter', 'live', 'compare'] as const;
export type WindowSearch = TextSearch<(typeof WINDOW)[number]>;

/** Filters of calls and spans, by the names that the API gives them. */
const FILTERS = [
  'model',
  'provider',
  'status',
  'kind',
  'userId',
  'sessionId',
  'errorCode',
  'keyId',
  'tag',
  'costStatus',
] as const;

/** The order of a list. */
const ORDER = ['sort', 'order'] as const;

/**
 * The pages of a project, by their paths below it, with the search parameters that each has beside the window.
 * `shell/project-pages.ts` says what each of them shows.
 */
export const PAGES = {
  overview: ['metric'],
  ask: ['q'],
  anomalies: ['anomaly'],
  recommendations: [],
  costs: ['by', 'across', 'cell', ...ORDER],
  'costs/statement': ['day'],
  'costs/repricing': ['id', 'provider', 'model', 'costStatus'],
  'costs/reconcile': ['id'],
  'costs/drift': ['days', 'connector'],
  'costs/what-if': ['model', 'as', 'caching', 'batch', 'sample'],
  dashboards: [],
  'dashboards/$dashboardId': [],
  budgets: ['q', 'budget'],
  alerts: ['state', 'q'],
  'alerts/new': ['copy', 'measure', 'groupBy'],
  'alerts/$alertId': ['edit', 'group'],
  performance: ['metric', 'spread'],
  errors: [...ORDER],
  deployments: ['hours'],
  'root-cause': ['measure'],
  incidents: ['status'],
  'incidents/$incidentId': ['measure'],
  events: [...FILTERS, ...ORDER, 'columns', 'event', 'at'],
  traces: ['model', 'userId', 'sessionId', 'status', ...ORDER],
  // The filters and the order of the list are for the way back to it.
  'traces/$traceId': ['span', 'q', 'comment', 'model', 'userId', 'sessionId', 'status', ...ORDER],
  sessions: ['userId', ...ORDER],
  'sessions/$sessionId': ['kind', 'event', 'at', 'comment', 'userId', ...ORDER],
  users: ['q', ...ORDER],
  'users/$userId': ['metric'],
  agents: [],
  'agents/graph': [],
  'agents/$agentName': [],
  tools: [],
  'tools/$toolName': [],
  bookmarks: [],
  prompts: ['folder', 'q', 'tag'],
  'prompts/$promptName': ['version', 'compare'],
  guardrails: [],
  datasets: [],
  'datasets/$datasetId': ['version', 'split', 'q'],
  experiments: ['dataset'],
  'experiments/$experimentId': ['baseline', 'only', 'metric'],
  simulations: [],
  'simulations/$simulationId': [],
  'simulations/runs/$runId': [],
  'annotation-queues': [],
  'annotation-queues/$queueId': ['only'],
  'annotation-queues/$queueId/annotate': ['item'],
  evaluators: [],
  'evaluators/new': ['from'],
  'evaluators/rules': [],
  'evaluators/scores': [],
  'evaluators/$evaluatorId': [],
  playground: ['event', 'at', 'prompt', 'version', 'label'],
  start: [],
  inspector: [],
  quarantine: ['reason'],
  project: [],
  keys: [...ORDER],
  prices: ['model', 'provider', 'rate', 'serviceTier'],
  'prices/catalogue': ['q', 'provider', 'retired', 'models'],
  organization: [],
  members: [],
  'access-tokens': [],
  channels: [],
  deliveries: ['channel', 'status'],
  'scheduled-reports': ['report'],
  statements: ['by', 'month'],
  'statements/party': ['by', 'month', 'party', 'of'],
  usage: [],
  audit: ['q', 'action'],
} as const satisfies Record<string, readonly string[]>;

export type PageName = keyof typeof PAGES;

/** The pages whose figures and lists the filter of the address narrows. */
export const FILTERED_PAGES: readonly PageName[] = [
  'overview',
  'costs',
  'dashboards/$dashboardId',
  'performance',
  'errors',
  'events',
  'traces',
  'sessions',
  'users',
  'root-cause',
];
/** All that the address of a page can say beside its path. */
export type SearchOf<P extends PageName> = WindowSearch & TextSearch<(typeof PAGES)[P][number]>;
export type EventsSearch = SearchOf<'events'>;

/** The window that an address says, to be taken along to another page. */
export const kept = (search: WindowSearch): WindowSearch => textOf(WINDOW)(search);

/** Whether an address names one of these; `constructor`, which every object has, is none. */
export const isOneOf = <K extends string>(
  name: string | undefined,
  these: Readonly<Record<K, unknown>>,
): name is K => name !== undefined && Object.hasOwn(these, name);

const MAX_VALUE = 1_000;

/** Takes the named parameters out of an address, as far as they are text, and leaves the rest. */
export const textOf =
  <const K extends string>(keys: readonly K[]) =>
  (given: Readonly<Record<string, unknown>>): TextSearch<K> => {
    const found: { [P in K]?: string } = {};
    for (const key of keys) {
      const value = given[key];
      if (typeof value === 'string' && value !== '') found[key] = value.slice(0, MAX_VALUE);
    }
    return found;
  };

export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};
