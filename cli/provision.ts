import type { App } from '../src/app.ts';
import { ConfigError, type ConfigKey } from '../src/config.ts';
import { secretOf } from '../src/db/filed-secret.ts';
import type { BaseContext } from './command.ts';

const NEEDED = {
  organization: 'SPANLEDGER_INIT_ORG',
  project: 'SPANLEDGER_INIT_PROJECT',
  email: 'SPANLEDGER_INIT_EMAIL',
  password: 'SPANLEDGER_INIT_PASSWORD',
} as const;
const KEYS = { ...NEEDED, apiKey: 'SPANLEDGER_INIT_API_KEY' } as const;

/**
 * Sets up a file without an owner from `SPANLEDGER_INIT_*`, if they are set. A file with an owner stays unchanged,
 * so the settings may stay in place for later starts.
 * @throws {ConfigError} for a setting that is missing or invalid, or names a file that cannot be read
 */
export const provisionLedger = async (ctx: BaseContext, app: App): Promise<void> => {
  const { config } = app.ctx;
  if (!Object.keys(config).some((key) => key.startsWith('SPANLEDGER_INIT_') && config[key as ConfigKey]))
    return;
  const [{ hasOwner }, { provision, provisioning }] = await Promise.all([
    import('../src/core/orgs/index.ts'),
    import('../src/core/auth/index.ts'),
  ]);
  if (await hasOwner(app.ctx)) return;
  const given = {
    organization: config.SPANLEDGER_INIT_ORG,
    project: config.SPANLEDGER_INIT_PROJECT,
    email: config.SPANLEDGER_INIT_EMAIL,
    password: secretOf(config, 'SPANLEDGER_INIT_PASSWORD'),
    apiKey: secretOf(config, 'SPANLEDGER_INIT_API_KEY'),
  };
  requireAll(given);
  const parsed = provisioning.safeParse(given);
  if (!parsed.success) throw notRight(parsed.error.issues[0]);
  const made = await provision(app.ctx, parsed.data);
  if (made !== null) ctx.output.success(`Set up for ${parsed.data.email} from SPANLEDGER_INIT_*`);
};

const requireAll = (given: Partial<Record<keyof typeof KEYS, string | undefined>>): void => {
  for (const [name, key] of Object.entries(NEEDED)) {
    if (given[name as keyof typeof KEYS] !== undefined) continue;
    const names = Object.values(NEEDED).join(', ');
    throw new ConfigError(
      key,
      `${key} is not set but other SPANLEDGER_INIT_* are`,
      `Set ${names}, or none of them`,
    );
  }
};

/** Names the setting but never shows its value. */
const notRight = (issue: { path: PropertyKey[]; message: string } | undefined): ConfigError => {
  const key = KEYS[issue?.path[0] as keyof typeof KEYS];
  return new ConfigError(key, `${key}: ${issue?.message ?? 'not valid'}`, 'Correct it and start again');
};
