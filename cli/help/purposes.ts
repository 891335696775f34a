/** Headings of the first help page, with the first words of their commands. */
const PURPOSES: Readonly<Record<string, readonly string[]>> = {
  'Start and serve': ['serve', 'init', 'open'],
  'Other servers': ['login', 'logout', 'profiles'],
  'Figures, events and traces': [
    'report',
    'query',
    'ask',
    'dashboards',
    'sql',
    'events',
    'traces',
    'sessions',
    'agents',
    'tools',
  ],
  'Costs and prices': [
    'cost',
    'focus',
    'reconcile',
    'reconciliations',
    'connectors',
    'budgets',
    'prices',
    'reprice',
    'recommendations',
    'statements',
  ],
  'Alerts and notifications': [
    'alerts',
    'anomalies',
    'silences',
    'incidents',
    'deployments',
    'channels',
    'deliveries',
    'scheduled-reports',
  ],
  'Access and people': ['keys', 'access-tokens', 'projects', 'orgs', 'users', 'domains', 'audit', 'auth'],
  'Prompts and models': ['prompts', 'guardrails', 'models'],
  'Datasets and experiments': [
    'datasets',
    'experiments',
    'simulations',
    'scores',
    'evaluators',
    'online-rules',
    'annotation-queues',
  ],
  Operation: [
    'config',
    'completions',
    'jobs',
    'doctor',
    'backup',
    'restore',
    'verify',
    'migrate',
    'upgrade',
    'move',
    'otel',
    'bench',
  ],
};

const HEADINGS = [...Object.keys(PURPOSES), 'Commands'].map((heading) => `${heading}:`);

/** Commands in the order of the headings; those of one heading keep theirs. */
export const byPurpose = <T>(commands: readonly T[], nameOf: (command: T) => string): T[] =>
  commands.toSorted(
    (a, b) => HEADINGS.indexOf(headingOf(nameOf(a))) - HEADINGS.indexOf(headingOf(nameOf(b))),
  );

/** The heading of a command on the first help page, by its first word. */
export const headingOf = (name: string): string => {
  const [word = ''] = name.split(' ');
  const found = Object.entries(PURPOSES).find(([, words]) => words.includes(word));
  return `${found?.[0] ?? 'Commands'}:`;
};

/** A help page with its options after its commands. */
export const commandsFirst = (page: string): string => {
  const blocks = page.trimEnd().split('\n\n');
  const areOptions = (block: string): boolean => /ptions:/.test(block.split('\n', 1)[0] ?? '');
  return `${[...blocks.filter((block) => !areOptions(block)), ...blocks.filter(areOptions)].join('\n\n')}\n`;
};
