import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, ConfigError } from '../../../config.ts';
import { type ConnectorProvider, PROVIDERS } from './contract.ts';

/** A source of a provider's own figures, as the operator configured it. */
export type ConnectorSetting = {
  readonly id: string;
  readonly provider: ConnectorProvider;
  /** An admin key. It goes only into the header of a request. */
  readonly key: string;
  /** Id or name of the organization of this installation whose calls the provider bills. */
  readonly organization: string;
  /** Ids or names of its projects; empty for all. */
  readonly projects: readonly string[];
  /** Workspaces (Anthropic) or projects (OpenAI) of the provider whose figures count; empty for all. */
  readonly accounts: readonly string[];
  /** Address in place of the provider's own, without a path. */
  readonly url: string | null;
};

const isLoopback = ({ hostname }: URL): boolean => /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname);

const origin = z
  .url({ protocol: /^https?$/, error: 'has to be a URL such as https://eu.api.openai.com' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || isLoopback(url), 'has to begin with https://')
  .refine((url) => url.href === `${url.origin}/`, 'has no path, query or user')
  .transform((url) => url.origin);

const named = z.string().min(1).max(200);
/** Header values hold nothing else, and an error about others would quote them. */
const KEY = /^[\x21-\x7e]{1,1000}$/;

const entry = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'has to be lower-case letters, digits and dashes'),
    provider: z.enum(PROVIDERS),
    key: z.string().regex(KEY, 'has to be one line without blanks').optional(),
    keyFile: z.string().min(1).optional(),
    organization: named,
    projects: z.array(named).max(100).default([]),
    accounts: z.array(named).max(100).default([]),
    url: origin.optional(),
  })
  .refine(({ key, keyFile }) => (key === undefined) !== (keyFile === undefined), 'needs key or keyFile')
  .refine(
    ({ provider, accounts }) => provider !== 'openrouter' || accounts.length === 0,
    'accounts: OpenRouter reports no workspaces or projects',
  );

const list = z
  .array(entry)
  .max(50)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two connectors have the same id');

const FIX = 'Correct it as the README describes under "Connectors"';
const wrong = (key: string, what: string, fix: string): ConfigError => new ConfigError(key, what, fix);

/**
 * Reads the connectors from `CONNECTORS` or the file that `CONNECTORS_FILE` names, and their keys from files.
 * @throws {ConfigError} that names the entry and field, but no value
 */
export function readConnectors({ CONNECTORS, CONNECTORS_FILE }: Config): ConnectorSetting[] {
  if (CONNECTORS !== undefined && CONNECTORS_FILE !== undefined)
    throw wrong('CONNECTORS', 'CONNECTORS and CONNECTORS_FILE are both set', 'Set one of them');
  const key = CONNECTORS === undefined ? 'CONNECTORS_FILE' : 'CONNECTORS';
  const text = CONNECTORS_FILE === undefined ? CONNECTORS : readText(key, CONNECTORS_FILE);
  if (text === undefined) return [];
  const parsed = list.safeParse(parseJson(key, text));
  if (!parsed.success) throw wrong(key, `${key}: ${describe(parsed.error.issues[0])}`, FIX);
  return parsed.data.map(({ key: given, keyFile, url, ...rest }) => ({
    ...rest,
    key: given ?? readKey(key, keyFile ?? ''),
    url: url ?? null,
  }));
}

function readKey(key: string, path: string): string {
  const text = readText(key, path);
  if (KEY.test(text)) return text;
  throw wrong(key, `${key}: ${path} holds no key`, 'Write the key into it, as one line without blanks');
}

function readText(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw wrong(key, `${key}: cannot read ${path}`, 'Name a file that the server can read');
  }
}

/** The parser's message would quote the text, which contains keys. */
function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(key, `${key} is not JSON`, FIX);
  }
}

/** The entry's place, the field and the problem, without the value. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  const [at, ...fields] = issue?.path ?? [];
  const where =
    typeof at === 'number' ? `entry ${at + 1}${fields.length === 0 ? '' : `, ${fields.join('.')}`}: ` : '';
  return `${where}${issue?.message ?? 'not valid'}`;
}
