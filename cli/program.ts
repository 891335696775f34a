import { Argument, Command as Commander, CommanderError, Help, Option } from 'commander';
import { nearest } from '../src/lib/nearest.ts';
import { type ArgumentSpec, type Command, type OptionSpec, type RawInput, toKebab } from './command.ts';
import { byPurpose, commandsFirst, headingOf } from './help/purposes.ts';
import { painter } from './output.ts';
import { usageError } from './user-error.ts';

/** Options of every command, allowed before and after its name. */
export interface GlobalFlags {
  readonly db?: string;
  readonly server?: string;
  readonly tokenFile?: string;
  readonly envFile?: string;
  readonly json: boolean;
  readonly input: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: 'auto' | 'always' | 'never';
  readonly debug: boolean;
}

interface ProgramParts {
  readonly argv: readonly string[];
  readonly commands: readonly Command[];
  readonly columns: number;
  readonly color: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly printVersion: () => void;
  readonly execute: (command: Command, raw: RawInput, flags: GlobalFlags) => Promise<void>;
}

/** The commands as a commander program. It throws errors; it does not print them or exit. */
export const buildProgram = (parts: ProgramParts): Commander => {
  const program = new Commander('spanledger');
  configureOutput(program, parts);
  program
    .description('The books for your LLM calls.')
    .usage('<command> [options]')
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'Show help for a command; also: help <command>')
    .allowExcessArguments(false);
  addGlobalOptions(program);
  program.on('option:version', () => {
    parts.printVersion();
    throw new CommanderError(0, 'commander.version', '');
  });
  refuseUnknownCommands(program);
  const word = firstWord(parts.argv);
  for (const command of parts.commands) {
    // What the others take is not asked for, and adding it would be most of the work.
    if (word === undefined || firstWord(command.name.split(' ')) === word)
      addCommand(program, command, parts);
    else addName(program, command);
  }
  addExamples(program, firstExamples(parts.commands.slice(0, 4)));
  for (const group of program.commands.filter((child) => child.commands.length > 0))
    addExamples(
      group,
      firstExamples(parts.commands.filter(({ name }) => name.startsWith(`${group.name()} `))),
    );
  return program;
};

/** Flags and summaries of the options of every command. */
export const GLOBAL_OPTIONS = [
  ['--db <path>', 'Database file (DATABASE_URL)'],
  ['--server <url|profile>', 'Read this server instead of a file (SPANLEDGER_SERVER)'],
  ['--token-file <path>', 'File with the access token for --server (SPANLEDGER_TOKEN)'],
  ['--env-file <path>', 'Read settings from this file'],
  ['--json', 'Print one JSON document and nothing else'],
  ['--no-input', 'Never prompt; fail instead'],
  ['-q, --quiet', 'Print data, warnings and errors only'],
  ['-v, --verbose', 'Print more messages'],
  ['--color <when>', 'Use colour'],
  ['--debug', 'Show the stack trace of an error'],
  ['-V, --version', 'Print the version; with --json, of all parts'],
] as const;

/** Global options whose value is the next word. */
const WITH_VALUE = new Set(
  GLOBAL_OPTIONS.filter(([flags]) => flags.includes('<')).map(([flags]) => flags.split(' ')[0]),
);

/** The word that names a command or a group; undefined if there are only options. */
const firstWord = (argv: readonly string[]): string | undefined =>
  argv.find((word, i) => !word.startsWith('-') && !WITH_VALUE.has(argv[i - 1] ?? ''));

const addGlobalOptions = (program: Commander): void => {
  for (const [flags, summary] of GLOBAL_OPTIONS) {
    const option = new Option(flags, summary);
    program.addOption(flags.startsWith('--color') ? option.choices(['auto', 'always', 'never']) : option);
  }
};

/** For the list of what there is. */
const addName = (program: Commander, { name }: Command): void => {
  const [word = name, ...rest] = name.split(' ');
  if (rest.length > 0) openGroup(program, word);
  else program.command(word);
};

const addCommand = (program: Commander, command: Command, parts: ProgramParts): void => {
  const words = command.name.split(' ');
  const leaf = words
    .slice(0, -1)
    .reduce(openGroup, program)
    .command(words.at(-1) ?? command.name);
  leaf.description(command.summary);
  for (const [name, spec] of Object.entries(command.args)) leaf.addArgument(toArgument(name, spec));
  for (const [name, spec] of Object.entries(command.options)) leaf.addOption(toOption(name, spec));
  addExamples(leaf, command.examples);
  leaf.action(async () => {
    requireOptions(leaf, command);
    const names = Object.keys(command.args);
    const args = Object.fromEntries(names.map((name, i) => [name, leaf.processedArgs[i] as unknown]));
    const options = Object.fromEntries(
      Object.entries(command.options).map(([name, spec]) => [name, given(spec, leaf.opts()[name])]),
    );
    await parts.execute(command, { args, options }, globalFlags(program.opts()));
  });
};

/** commander would report the missing `--project` before the unknown `--projct`, so this is checked here. */
const requireOptions = (leaf: Commander, { options, examples }: Command): void => {
  for (const [name, spec] of Object.entries(options)) {
    if (!spec.required || leaf.opts()[name] !== undefined) continue;
    throw usageError(`--${toKebab(name)} is required`, `For example: ${examples[0]}`);
  }
};

const globalFlags = (given: Partial<GlobalFlags>): GlobalFlags => ({
  ...given,
  json: given.json ?? false,
  input: given.input ?? true,
  quiet: given.quiet ?? false,
  verbose: given.verbose ?? false,
  color: given.color ?? 'auto',
  debug: given.debug ?? false,
});

const firstExamples = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ examples }) => examples.slice(0, 1));

const addExamples = (command: Commander, lines: readonly string[]): void => {
  const title = lines.length > 1 ? 'Examples' : 'Example';
  command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
};

const openGroup = (parent: Commander, word: string): Commander => {
  const existing = parent.commands.find((child) => child.name() === word);
  if (existing) return existing;
  const group = parent.command(word).usage('<command> [options]').helpCommand(false);
  refuseUnknownCommands(group);
  return group;
};

const toArgument = (name: string, spec: ArgumentSpec): Argument => {
  const word = `${toKebab(name)}${spec.variadic ? '...' : ''}`;
  return new Argument(spec.optional ? `[${word}]` : `<${word}>`, spec.summary);
};

const toOption = (name: string, spec: OptionSpec): Option => {
  const short = spec.short ? `-${spec.short}, ` : '';
  const value = spec.value ? ` <${spec.value}>` : '';
  const summary = spec.required ? `${spec.summary} (required)` : spec.summary;
  const option = new Option(`${short}--${toKebab(name)}${value}`, summary);
  if (spec.choices) option.choices(spec.choices);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.repeat) option.argParser((one: string, all: string[] | undefined) => [...(all ?? []), one]);
  return option;
};

const given = (spec: OptionSpec, value: unknown): unknown => {
  if (spec.value === undefined) return value === true;
  return spec.repeat ? (value ?? []) : value;
};

const pathOf = (command: Commander): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

const leavesOf = (command: Commander): Commander[] =>
  command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));

/** `spanledger kes` and `spanledger kes --help` both name the nearest command instead of printing help. */
const refuseUnknownCommands = (group: Commander): void => {
  const refuse = (word: string): never => {
    const path = pathOf(group);
    const guess = nearest(
      word,
      group.commands.map((child) => child.name()),
    );
    const known = `${path} ${guess}`.trim();
    throw usageError(
      `Unknown command '${`${path} ${word}`.trim()}'`,
      guess ? `Did you mean spanledger ${known}?` : `See spanledger help${path && ` ${path}`}`,
    );
  };
  group.on('command:*', (operands: string[]) => refuse(operands[0] ?? ''));
  group.addHelpText('before', () => {
    const word = group.args[0];
    return word === undefined || word.startsWith('-') ? '' : refuse(word);
  });
};

const configureOutput = (program: Commander, parts: ProgramParts): void => {
  const paint = painter(parts.color);
  program.configureOutput({
    writeOut: parts.stdout,
    writeErr: parts.stderr,
    outputError: () => {},
    getOutHelpWidth: () => parts.columns,
    getErrHelpWidth: () => parts.columns,
    getOutHasColors: () => parts.color,
    getErrHasColors: () => parts.color,
  });
  program.configureHelp({
    showGlobalOptions: true,
    formatHelp: (command, helper) => {
      if (!command.parent)
        for (const one of [...command.commands, ...leavesOf(command)]) one.helpGroup(headingOf(pathOf(one)));
      return commandsFirst(Help.prototype.formatHelp.call(helper, command, helper));
    },
    styleTitle: (text) => paint({ text, tone: 'bold' }),
    visibleCommands: (command) => (command.parent ? leavesOf(command) : byPurpose(leavesOf(command), pathOf)),
    subcommandTerm: (command) =>
      [pathOf(command), ...command.registeredArguments.map(argumentTerm)].join(' '),
  });
};

const argumentTerm = (argument: Argument): string => {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
};
