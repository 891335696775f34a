import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CommanderError } from 'commander';
import { type Env, type LoadedConfig, loadConfig } from '../src/config.ts';
import { versionInfo } from '../src/version.ts';
import type { BaseContext, Command, RawInput } from './command.ts';
import { toUserError } from './exit.ts';
import type { Input } from './input.ts';
import { chooseColor, createOutput, type Output } from './output.ts';
import { buildProgram, type GlobalFlags } from './program.ts';
import { chooseTarget, type Target } from './remote/target.ts';
import { isOfThisMachine, REMOTE_COMMANDS, whyNotRemote } from './remote/which.ts';
import { EXIT, type ExitCode, usageError } from './user-error.ts';
import { isBrokenPipe } from './write-file.ts';

/** The environment of a run of the command line. */
export interface Terminal {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly columns: number | undefined;
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly input: Input;
  /** Calls `stop` on Ctrl-C, on SIGTERM and when the terminal is closed (as on SIGTERM), from the moment a command runs. */
  readonly onStop: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
  /** Ends the process at once. */
  readonly exitNow: (code: ExitCode) => void;
}

/** Parses the arguments, runs the command and returns the exit code. Never throws. */
export const runCli = async (commands: readonly Command[], terminal: Terminal): Promise<ExitCode> => {
  const argv = normalise(terminal.argv);
  const early = scanFlags(argv);
  let output = openOutput(early, terminal);
  let code: ExitCode = EXIT.ok;
  const program = buildProgram({
    argv,
    commands,
    columns: output.columns,
    color: chooseColor({ flag: early.color, env: terminal.env, isTerminal: terminal.isTerminal.stdout }),
    stdout: terminal.stdout,
    stderr: terminal.stderr,
    printVersion: () => {
      const info = versionInfo();
      if (early.json) terminal.stdout(`${JSON.stringify(info, null, 2)}\n`);
      else terminal.stdout(`${info.name} ${info.version}\n`);
    },
    execute: async (command, raw, flags) => {
      output = openOutput(flags, terminal);
      code = await runCommand(command, { commands, raw, flags, output, terminal });
    },
  });
  try {
    refuseVersionOf(argv);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.ok;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok;
      if (error.code === 'commander.help') return EXIT.usage;
    }
    const failure = await toUserError(error);
    const stack = early.debug ? describeStack(error) : undefined;
    output.error({ what: failure.what, fix: failure.fix, code: failure.code, stack });
    return failure.exit;
  }
};

/** `prompts get greeting --version 2` means a version of the prompt, and would print that of the program. */
const refuseVersionOf = (argv: readonly string[]): void => {
  const at = argv.indexOf('--version');
  const value = argv[at + 1];
  if (at < 1 || argv[0]?.startsWith('-') || value === undefined || value.startsWith('-')) return;
  throw usageError(
    '--version prints the version of spanledger and takes no value',
    `Run "spanledger ${argv.slice(0, Math.min(at, 2)).join(' ')} --help" for the options of the command`,
  );
};

interface Run {
  readonly commands: readonly Command[];
  readonly raw: RawInput;
  readonly flags: GlobalFlags;
  readonly output: Output;
  readonly terminal: Terminal;
}

const runCommand = async (command: Command, run: Run): Promise<ExitCode> => {
  const { raw, flags, output, terminal } = run;
  const stopping = new AbortController();
  let interrupted = false;
  terminal.onStop((signal) => {
    if (!command.drains || stopping.signal.aborted) return terminal.exitNow(EXIT.interrupted);
    interrupted = signal === 'SIGINT';
    if (command.drains !== 'quietly') output.info('Stopping; press Ctrl-C again to stop at once');
    stopping.abort();
  });
  let config: LoadedConfig | undefined;
  const context: BaseContext = {
    output,
    config: (given) => {
      const load = (): LoadedConfig =>
        loadConfig({
          flags: { ...configFlags(command, run), ...given },
          env: terminal.env,
          fileEnv: readEnvFile(flags),
        });
      if (given !== undefined) return load();
      config ??= load();
      return config;
    },
    env: terminal.env,
    server: serverOf(command, run),
    tokenFile: flags.tokenFile,
    input: terminal.input,
    interactive: flags.input && !flags.json && terminal.isTerminal.stdin && terminal.isTerminal.stderr,
    debug: flags.debug,
    commands: run.commands,
    signal: stopping.signal,
  };
  const code = await command.execute(context, await withWholeIds(context, command, raw));
  return interrupted ? EXIT.interrupted : code;
};

/** Loads what lists ids only for a command that names one. */
const withWholeIds = async (ctx: BaseContext, command: Command, raw: RawInput): Promise<RawInput> => {
  const specs = [...Object.values(command.args), ...Object.values(command.options)];
  if (specs.every(({ id }) => id === undefined)) return raw;
  const { wholeIds } = await import('./ids/resolve.ts');
  return wholeIds(ctx, command, raw);
};

/**
 * The server that the command reads; null for the database file. A command that cannot read one is refused, so that
 * it never acts on a local file by mistake.
 */
const serverOf = ({ name }: Command, { flags, terminal }: Run): Target | null => {
  if (flags.server !== undefined && flags.db !== undefined)
    throw usageError('--server and --db cannot be combined', 'Choose one');
  const server = flags.server ?? (flags.db === undefined ? terminal.env.SPANLEDGER_SERVER : undefined);
  if (flags.tokenFile !== undefined && name !== 'login' && !server)
    throw usageError('--token-file needs a server', 'Add --server');
  if (server === undefined || server === '') return null;
  if (flags.server === undefined && isOfThisMachine(name)) return null;
  const target = chooseTarget({ server, tokenFile: flags.tokenFile, env: terminal.env });
  if (REMOTE_COMMANDS.has(name)) return target;
  const { why, fix } = whyNotRemote(name, target.url);
  throw usageError(`${name} does not work with --server: ${why}`, fix);
};

/** `help keys create` becomes `keys create --help`; no words at all become `--help`. */
const normalise = (argv: readonly string[]): string[] => {
  if (argv.length === 0) return ['--help'];
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
};

/** The flags that decide how a parse error is shown, scanned before parsing. */
const scanFlags = (argv: readonly string[]): GlobalFlags => {
  const has = (...names: string[]): boolean => names.some((name) => argv.includes(name));
  const paired = argv.indexOf('--color');
  const color =
    argv.find((word) => word.startsWith('--color='))?.slice('--color='.length) ?? argv[paired + 1];
  return {
    json: has('--json'),
    input: !has('--no-input'),
    quiet: has('-q', '--quiet'),
    verbose: has('-v', '--verbose'),
    color: color === 'always' || color === 'never' ? color : 'auto',
    debug: has('--debug'),
  };
};

const openOutput = ({ json, quiet, verbose, color }: GlobalFlags, terminal: Terminal): Output => {
  const { env, isTerminal, columns, stdout, stderr } = terminal;
  const paints = {
    stdout: chooseColor({ flag: color, env, isTerminal: isTerminal.stdout }),
    stderr: chooseColor({ flag: color, env, isTerminal: isTerminal.stderr }),
  };
  return createOutput({ json, quiet, verbose, color: paints, columns, stdout, stderr });
};

const configFlags = (command: Command, { raw, flags }: Run): Env => {
  const found: Record<string, string> = {};
  if (flags.db !== undefined) found.DATABASE_URL = flags.db;
  if (flags.verbose) found.LOG_LEVEL = 'debug';
  for (const [name, spec] of Object.entries(command.options)) {
    const value = raw.options[name];
    if (spec.config && value !== undefined) found[spec.config] = String(value);
  }
  return found;
};

const readEnvFile = ({ envFile }: GlobalFlags): Env => {
  if (envFile === undefined) return {};
  try {
    return parseEnv(readFileSync(envFile, 'utf8'));
  } catch {
    throw usageError(
      `Cannot read the env file ${envFile}`,
      'Pass --env-file the path of a file with KEY=VALUE lines',
    );
  }
};

const describeStack = (error: unknown): string => {
  const lines: string[] = [];
  for (let current = error; current !== undefined && lines.length < 8; ) {
    lines.push(current instanceof Error ? (current.stack ?? current.message) : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.join('\ncaused by: ');
};
