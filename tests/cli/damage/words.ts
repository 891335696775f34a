import { commands } from '../../../cli/commands.ts';

/** Commands that open no database file, or only in part of their uses, which their own tests show. */
const WITHOUT_FILE: readonly string[] = [
  'open',
  'login',
  'logout',
  'profiles list',
  'completions bash',
  'completions zsh',
  'completions fish',
  'completions words',
  'config show',
  'otel inspect',
  'guardrails measure',
  'auth check-issuer',
  'prices pack create',
  'prices pack sign',
  'prices pack keygen',
  'bench ingest',
  'bench purge',
  'bench query',
  'bench raw',
  'bench start',
  // Reads a backup; tested by itself.
  'restore',
  // Needs a running server, which has the file open.
  'experiments run',
  'simulations run',
  'simulations push',
  // Reads a file of version 0.1; see tests/upgrade.
  'upgrade',
  // Names its file with an option; see tests/cli/move.test.ts.
  'move',
];

/** The files that some commands read. */
export type Inputs = {
  readonly folder: string;
  readonly alert: string;
  readonly rule: string;
  readonly guardrail: string;
  readonly invoice: string;
  readonly items: string;
};

/** The words after the name of a command, where it refuses the simple ones. */
const wordsFor = ({
  folder,
  alert,
  rule,
  guardrail,
  invoice,
  items,
}: Inputs): Readonly<Record<string, readonly string[]>> => ({
  init: ['--org', 'A', '--project', 'p', '--email', 'ada@example.com', '--password-stdin'],
  serve: ['--port', '0'],
  sql: ['SELECT 1'],
  'anomalies explain': ['--measure', 'cost', '--start', '7d'],
  'report what-if': ['--caching', '0.5'],
  'focus export': ['--month', '2026-10', '--output', `${folder}/focus.csv`],
  'datasets items add': ['x', '--file', items],
  'events export': ['--output', `${folder}/out.csv`],
  'online-rules create': ['--file', rule],
  'guardrails create': ['--file', guardrail],
  reconcile: [invoice],
  'prompts label': ['x', 'x', '1'],
  'prompts push': [folder],
  'simulations pull': [`${folder}/simulations`],
  'alerts create': [alert],
  'alerts preview': [alert],
  'alerts test': [alert],
  'prices set': ['openai/x', '--input', '1', '--output', '2'],
  'prices update': ['--built-in'],
  'reprice plan': ['--start', '30d'],
  'orgs set-plan': ['x', 'free'],
  'users set-role': ['x', 'member'],
  'users reset-link': ['ada@example.com'],
  'users reset-factors': ['ada@example.com', '--yes'],
  'domains remove': ['example.com'],
});

/** The command lines of all commands that open a file. */
export function commandLines(inputs: Inputs): string[][] {
  const special = wordsFor(inputs);
  return commands
    .filter(({ name }) => !WITHOUT_FILE.includes(name))
    .map(({ name, args, options }) => {
      const own = special[name];
      const switches = Object.hasOwn(options, 'yes') && own === undefined ? ['--yes'] : [];
      const needed = Object.values(args)
        .filter(({ optional }) => optional !== true)
        .map(({ type, summary }) => {
          if (type !== undefined) return SIMPLE.find((word) => type.safeParse(word).success) ?? 'x';
          return /file/i.test(summary) ? inputs.alert : 'x';
        });
      const required = Object.entries(options).flatMap(([key, { required, type, choices }]) => {
        if (required !== true || own !== undefined) return [];
        const word =
          choices?.[0] ?? SIMPLE.find((one) => type === undefined || type.safeParse(one).success) ?? 'x';
        return [`--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, word];
      });
      return [...name.split(' '), ...(own ?? needed), ...required, ...switches];
    });
}

const SIMPLE: readonly string[] = ['1', '1d', 'a=b', 'gpt-4o'];
