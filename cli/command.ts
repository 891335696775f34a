import type { z } from 'zod';
import type { ConfigKey, Env, LoadedConfig } from '../src/config.ts';
import { problemOf } from '../src/http/problem-of.ts';
import type { IdKind } from './ids/kind.ts';
import type { Input } from './input.ts';
import type { Output } from './output.ts';
import type { Target } from './remote/target.ts';
import { type ExitCode, usageError } from './user-error.ts';

/** A positional argument. Required unless `optional`. */
export interface ArgumentSpec {
  readonly summary: string;
  readonly optional?: true;
  /** The word is an id of this kind; an unambiguous start of one is enough. */
  readonly id?: IdKind;
  /** Takes all remaining words; allowed only for the last argument. */
  readonly variadic?: true;
  /** Parses the word; without it the command receives the text. */
  readonly type?: z.ZodType;
}

/** An option. Without `value` it is a switch. Its key in camelCase is its flag in kebab-case. */
export interface OptionSpec {
  readonly summary: string;
  /** Placeholder for its value in the help, in capitals. */
  readonly value?: string;
  readonly short?: string;
  readonly required?: true;
  readonly repeat?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly type?: z.ZodType;
  /** As in `ArgumentSpec`. */
  readonly id?: IdKind;
  /** The setting that this option overrides for this run. */
  readonly config?: ConfigKey;
}

type Specs<T> = Readonly<Record<string, T>>;

type Parsed<S> = S extends { readonly type: infer T extends z.ZodType }
  ? z.output<T>
  : S extends { readonly choices: readonly (infer C)[] }
    ? C
    : string;
type ArgumentValue<S> = S extends { readonly variadic: true }
  ? Parsed<S>[]
  : S extends { readonly optional: true }
    ? Parsed<S> | undefined
    : Parsed<S>;
type OptionValue<S> = S extends { readonly value: string }
  ? S extends { readonly repeat: true }
    ? Parsed<S>[]
    : S extends { readonly required: true } | { readonly default: string }
      ? Parsed<S>
      : Parsed<S> | undefined
  : boolean;

/** What every command receives. */
export interface BaseContext {
  readonly output: Output;
  /** Parses the settings (flag > environment > --env-file > default), `given` like flags; throws ConfigError. */
  readonly config: (given?: Env) => LoadedConfig;
  readonly env: Env;
  /** The server to read instead of the database file; null for the file. */
  readonly server: Target | null;
  /** `--token-file`; read by `login`, elsewhere part of `server`. */
  readonly tokenFile: string | undefined;
  readonly input: Input;
  /** Whether the command can prompt: at a terminal, without --no-input and --json. */
  readonly interactive: boolean;
  readonly debug: boolean;
  /** Every command of this command line. */
  readonly commands: readonly Command[];
  /** Aborted by Ctrl-C or SIGTERM. Only a command with `drains` survives to see it. */
  readonly signal: AbortSignal;
}

export interface CommandContext<A extends Specs<ArgumentSpec>, O extends Specs<OptionSpec>>
  extends BaseContext {
  readonly args: { readonly [K in keyof A]: ArgumentValue<A[K]> };
  readonly options: { readonly [K in keyof O]: OptionValue<O[K]> };
}

interface CommandSpec<A extends Specs<ArgumentSpec>, O extends Specs<OptionSpec>> {
  /** Noun then verb: `keys create`. */
  readonly name: string;
  /** One line, imperative, without a full stop. */
  readonly summary: string;
  readonly args?: A;
  readonly options?: O;
  readonly examples: readonly [string, ...string[]];
  /**
   * The command stops itself: the first Ctrl-C aborts its signal, the second ends the process. `quietly`: without
   * saying so, for a command that stops at once.
   */
  readonly drains?: true | 'quietly';
  /** Imports heavy modules inside. Returns an exit code other than 0 when the result means failure. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that has nothing to say may return nothing
  readonly run: (ctx: CommandContext<A, O>) => Promise<ExitCode | void> | ExitCode | void;
}

/** Unparsed words and options by name; every switch and repeatable option has a value. */
export interface RawInput {
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A command in the list of commands, with its types erased. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly args: Specs<ArgumentSpec>;
  readonly options: Specs<OptionSpec>;
  readonly examples: readonly string[];
  readonly drains: boolean | 'quietly';
  readonly execute: (base: BaseContext, raw: RawInput) => Promise<ExitCode>;
}

/**
 * Declares a command as data.
 * @example
 * export const keysRevoke = defineCommand({
 *   name: 'keys revoke',
 *   summary: 'Revoke an API key',
 *   args: { id: { summary: 'Id of the key' } },
 *   options: { yes: { summary: 'Skip the confirmation' } },
 *   examples: ['spanledger keys revoke key_0198 --yes'],
 *   run: async (ctx) => (await import('./revoke-key.ts')).revokeKey(ctx, ctx.args.id),
 * });
 */
export const defineCommand = <
  const A extends Specs<ArgumentSpec> = Record<never, never>,
  const O extends Specs<OptionSpec> = Record<never, never>,
>(
  spec: CommandSpec<A, O>,
): Command => ({
  name: spec.name,
  summary: spec.summary,
  args: spec.args ?? {},
  options: spec.options ?? {},
  examples: spec.examples,
  drains: spec.drains ?? false,
  execute: async (base, raw) => {
    // The specs that shaped these types are the ones that parsed the values.
    const args = parseAll(spec.args ?? {}, raw.args, (name) => `<${toKebab(name)}>`);
    const options = parseAll(spec.options ?? {}, raw.options, (name) => `--${toKebab(name)}`);
    const code = await spec.run({ ...base, args, options } as CommandContext<A, O>);
    return code ?? 0;
  },
});

/** camelCase to kebab-case, as an option or argument is written. */
export const toKebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const parseAll = (
  specs: Specs<{ readonly type?: z.ZodType }>,
  raw: Readonly<Record<string, unknown>>,
  label: (name: string) => string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(specs).map(([name, { type }]) => {
      const value = raw[name];
      const parse = (one: unknown): unknown => parseOne(type, one, label(name));
      return [name, Array.isArray(value) ? value.map(parse) : parse(value)];
    }),
  );

const parseOne = (type: z.ZodType | undefined, value: unknown, label: string): unknown => {
  if (type === undefined || value === undefined) return value;
  const result = type.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const reason = issue === undefined ? 'not valid' : problemOf(issue);
  throw usageError(
    `${label} ${JSON.stringify(value)}: ${reason}`,
    'Add --help to see what the command takes',
  );
};
