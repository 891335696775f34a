import type { BaseContext } from '../command.ts';

/** Applies the migrations that a copy of a file lacks. Returns their names. */
export async function bringUpToDate(ctx: BaseContext, path: string): Promise<readonly string[]> {
  const { openApp } = await import('../../src/app.ts');
  const { values } = ctx.config();
  // A secret is made for a file that has none; this one is not kept.
  const BETTER_AUTH_SECRET = values.BETTER_AUTH_SECRET ?? crypto.randomUUID();
  const config = {
    ...values,
    DATABASE_URL: `file:${path}`,
    LOG_LEVEL: 'silent' as const,
    BETTER_AUTH_SECRET,
  };
  const app = openApp({ config, mode: 'command' });
  const { migrated } = app.ctx.db;
  await app.close();
  return migrated;
}
