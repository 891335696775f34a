/** Commands that read a server through its public API, where `--server` names one. All others say why they do not. */
export const REMOTE_COMMANDS: ReadonlySet<string> = new Set([
  'report overview',
  'report costs',
  'report performance',
  'report errors',
  'report usage',
  'report users',
  'report user',
  'report sessions',
  'report ledger',
  'report what-if',
  'report incidents',
  'query',
  'ask',
  'anomalies list',
  'anomalies explain',
  'recommendations list',
  'recommendations show',
  'events list',
  'events get',
  'events tail',
  'events export',
  'traces list',
  'traces show',
  'sessions list',
  'sessions show',
  'cost explain',
  'focus export',
  'prices list',
  'prices search',
  'prices show',
  'budgets list',
  'incidents list',
  'incidents show',
  'agents list',
  'agents show',
  'agents graph',
  'tools list',
  'tools show',
  'projects list',
  'orgs list',
  'deliveries list',
  'reconciliations list',
  'reconciliations show',
  'connectors list',
  'connectors drift',
  'reprice list',
  'statements list',
  'datasets list',
  'experiments list',
  'experiments run',
  'simulations list',
  'simulations run',
  'simulations push',
  'simulations pull',
  'open',
]);

/** First words of commands about this machine: its files, its server and this command line. */
const OF_THIS_MACHINE: readonly string[] = [
  ...['serve', 'init', 'login', 'logout', 'profiles', 'completions', 'config', 'migrate', 'upgrade', 'move'],
  ...['bench', 'otel', 'auth', 'prices pack', 'backup', 'restore', 'verify', 'doctor'],
];
/** First words of commands that read the file and no route, where the last word does not say so. */
const OF_THE_FILE: readonly string[] = [
  ...['sql', 'audit', 'events check', 'guardrails check', 'guardrails measure'],
  ...['orgs usage', 'prompts diff', 'prompts pull'],
];
/** First words of commands about what no access token may see. */
const FOR_PEOPLE: readonly string[] = ['users', 'keys', 'access-tokens', 'channels', 'domains'];
const READING: readonly string[] = ['list', 'show', 'get', 'preview', 'history', 'export'];

/** Whether a command is about this machine only, so that SPANLEDGER_SERVER does not concern it. */
export const isOfThisMachine = (command: string): boolean => startsWithAny(command, OF_THIS_MACHINE);

/** Why a command does not work with `--server`, as a sentence about it, and what to do instead. */
export const whyNotRemote = (command: string, server: string): { why: string; fix: string } => {
  if (isOfThisMachine(command))
    return {
      why: 'it works with the files of one machine',
      fix: "Leave --server out, or run it on the server's machine",
    };
  const reads = startsWithAny(command, OF_THE_FILE) || READING.includes(command.split(' ').at(-1) ?? '');
  if (reads && startsWithAny(command, FOR_PEOPLE))
    return {
      why: 'no access token may see people, keys, tokens and channels',
      fix: `Open ${server} in a browser, or run it on the server's machine`,
    };
  return reads
    ? { why: 'it reads the database file', fix: "Run it on the server's machine, or use the dashboard" }
    : {
        why: 'it changes the ledger, and access tokens only read',
        fix: `Open ${server} in a browser, or run it on the server's machine`,
      };
};

const startsWithAny = (command: string, starts: readonly string[]): boolean =>
  starts.some((start) => command === start || command.startsWith(`${start} `));
