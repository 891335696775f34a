import { loadConfig } from '../../src/config.ts';
import { type ArgumentSpec, type BaseContext, type Command, type OptionSpec, toKebab } from '../command.ts';
import { ID_KINDS } from '../ids/kinds.ts';
import { chooseTarget } from '../remote/target.ts';
import { REMOTE_COMMANDS } from '../remote/which.ts';
import { withApp } from '../session.ts';

/** A word that may come next, with what it means. */
export interface Completion {
  readonly word: string;
  readonly about: string;
}

/** Options of every command that take a value; the others are switches. */
const GLOBAL: readonly (Completion & { readonly value?: true; readonly choices?: readonly string[] })[] = [
  { word: '--db', about: 'Database file', value: true },
  { word: '--server', about: 'Read this server', value: true },
  { word: '--token-file', about: 'File with the access token', value: true },
  { word: '--env-file', about: 'Read settings from this file', value: true },
  { word: '--json', about: 'Print one JSON document' },
  { word: '--no-input', about: 'Never prompt' },
  { word: '--quiet', about: 'Print data, warnings and errors only' },
  { word: '--verbose', about: 'Print more messages' },
  { word: '--color', about: 'Use colour', value: true, choices: ['auto', 'always', 'never'] },
  { word: '--debug', about: 'Show the stack trace of an error' },
  { word: '--help', about: 'Show help' },
];

/** The option that a word names, also by its letter. */
const optionOf = (command: Command, word: string): readonly [string, OptionSpec] | undefined =>
  Object.entries(command.options).find(
    ([name, { short }]) => word === `--${toKebab(name)}` || (short !== undefined && word === `-${short}`),
  );

/**
 * What may follow the typed words; the last one is unfinished and may be empty. Reads ids and names from the file
 * or the server where a word is one. An empty list leaves completion to the shell, which offers files.
 */
export const complete = async (
  ctx: BaseContext,
  typed: readonly string[],
): Promise<readonly Completion[]> => {
  const { commands } = ctx;
  const last = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const { words, pending } = readWords(commands, before);
  const command = commands.find(({ name }) => isStart(name.split(' '), words));
  try {
    const meant = asTyped(ctx, before, command?.name);
    const all = await candidates(meant, { commands, command, words, pending, last, before });
    return all.filter(({ word }) => word.startsWith(last));
  } catch {
    // No file, no server, no profile: a shell that completes has no place for the message.
    return [];
  }
};

/** The context with the file or server that the typed words and the environment name. */
const asTyped = (ctx: BaseContext, before: readonly string[], command: string | undefined): BaseContext => {
  const valueAfter = (option: string): string | undefined => {
    const place = before.lastIndexOf(option);
    return place === -1 ? undefined : before[place + 1];
  };
  const db = valueAfter('--db');
  if (db !== undefined)
    return { ...ctx, config: () => loadConfig({ flags: { DATABASE_URL: db }, env: ctx.env }) };
  const server = valueAfter('--server') ?? ctx.env.SPANLEDGER_SERVER;
  if (!server || command === undefined || !REMOTE_COMMANDS.has(command)) return ctx;
  const tokenFile = valueAfter('--token-file');
  return { ...ctx, server: chooseTarget({ server, tokenFile, env: ctx.env }) };
};

const isStart = (start: readonly string[], words: readonly string[]): boolean =>
  start.length <= words.length && start.every((word, i) => words[i] === word);

/** The words that are not options or their values, and the option whose value comes next. */
const readWords = (
  commands: readonly Command[],
  before: readonly string[],
): { words: string[]; pending: string | undefined } => {
  const words: string[] = [];
  let pending: string | undefined;
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (!word.startsWith('-')) words.push(word);
    else if (!word.includes('=') && takesValue(commands, words, word)) pending = word;
  }
  return { words, pending };
};

const takesValue = (commands: readonly Command[], words: readonly string[], option: string): boolean => {
  const command = commands.find(({ name }) => isStart(name.split(' '), words));
  const own = command === undefined ? undefined : optionOf(command, option);
  return own === undefined
    ? GLOBAL.some(({ word, value }) => word === option && value === true)
    : own[1].value !== undefined;
};

interface Asked {
  readonly commands: readonly Command[];
  readonly command: Command | undefined;
  readonly words: readonly string[];
  readonly pending: string | undefined;
  readonly last: string;
  readonly before: readonly string[];
}

const candidates = async (ctx: BaseContext, asked: Asked): Promise<readonly Completion[]> => {
  const { commands, command, words, pending, last, before } = asked;
  if (pending !== undefined) {
    const own = command === undefined ? undefined : optionOf(command, pending);
    if (own !== undefined) return valuesOf(ctx, own[0], own[1]);
    const choices = GLOBAL.find(({ word }) => word === pending)?.choices ?? [];
    return pending === '--server' ? profileNames(ctx) : choices.map((word) => ({ word, about: '' }));
  }
  if (last.startsWith('-')) return optionsOf(command, before);
  if (command === undefined) return nextWords(commands, words);
  const args = Object.entries(command.args);
  const place = words.length - command.name.split(' ').length;
  const found = args[place] ?? (args.at(-1)?.[1].variadic ? args.at(-1) : undefined);
  return found === undefined ? [] : valuesOf(ctx, found[0], found[1]);
};

/** The words after those typed, of all commands that begin so. */
const nextWords = (commands: readonly Command[], words: readonly string[]): Completion[] => {
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    const parts = name.split(' ');
    const next = parts[words.length];
    if (next === undefined || !words.every((word, i) => parts[i] === word)) continue;
    const isWhole = parts.length === words.length + 1;
    found.set(next, found.has(next) || !isWhole ? '' : summary);
  }
  return [...found].map(([word, about]) => ({ word, about }));
};

const optionsOf = (command: Command | undefined, before: readonly string[]): Completion[] => {
  const own = Object.entries(command?.options ?? {}).map(([name, { summary, repeat }]) => ({
    word: `--${toKebab(name)}`,
    about: summary,
    repeat,
  }));
  return [...own, ...GLOBAL.map((one) => ({ ...one, repeat: undefined }))]
    .filter(({ word, repeat }) => repeat === true || !before.includes(word))
    .map(({ word, about }) => ({ word, about }));
};

/** Choices, ids and names; nothing for other values. A failure to read them is no failure of the shell. */
const valuesOf = async (
  ctx: BaseContext,
  name: string,
  { id, ...spec }: ArgumentSpec | OptionSpec,
): Promise<readonly Completion[]> => {
  if ('choices' in spec && spec.choices !== undefined)
    return spec.choices.map((word) => ({ word, about: '' }));
  if (id !== undefined)
    return (await ID_KINDS[id](ctx, undefined)).map((one) => ({ word: one.id, about: one.label }));
  if (name === 'project' || name === 'org') return namesOf(ctx, name);
  return [];
};

const namesOf = async (ctx: BaseContext, what: 'project' | 'org'): Promise<Completion[]> => {
  const [{ listOrganizations }, { listProjects }, remote] = await Promise.all([
    import('../../src/core/orgs/index.ts'),
    import('../../src/core/projects/index.ts'),
    import('../remote/find.ts'),
  ]);
  const found: readonly { readonly id: string; readonly name: string }[] = await withApp(
    ctx,
    ({ ctx: app }) => (what === 'project' ? listProjects(app) : listOrganizations(app)),
    (server) =>
      what === 'project' ? remote.listRemoteProjects(server) : remote.listRemoteOrganizations(server),
  );
  return found.map(({ id, name }) => ({ word: name, about: id }));
};

const profileNames = async ({ env }: BaseContext): Promise<Completion[]> => {
  const { readProfiles } = await import('../remote/profiles.ts');
  return readProfiles(env).map(({ name, url }) => ({ word: name, about: url }));
};
