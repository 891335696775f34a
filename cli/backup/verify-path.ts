import { countText } from '../../src/lib/figures.ts';
import type { Verified } from '../../src/verify.ts';
import type { BaseContext } from '../command.ts';
import { requireLedger } from './require-ledger.ts';

/**
 * Verifies the file at a path, without changing it.
 * @throws {DatabaseFileError} (6) if it is not a database, or a later version made it
 * @throws {AppError} 409 (5) if an older version made it
 */
export async function verifyPath(ctx: BaseContext, path: string): Promise<Verified> {
  const [{ openApp }, { verifyFile }, { conflict }] = await Promise.all([
    import('../../src/app.ts'),
    import('../../src/verify.ts'),
    import('../../src/errors.ts'),
  ]);
  const pending = await requireLedger(path);
  if (pending > 0)
    throw conflict(
      `${path} was written by an older version (${countText(pending, 'migration')} pending); \`spanledger restore\` brings a copy of it up to date`,
    );
  const { values } = ctx.config();
  const config = { ...values, DATABASE_URL: `file:${path}`, LOG_LEVEL: 'silent' as const };
  const app = openApp({ config, mode: 'read' });
  try {
    const onProgress = (step: string): void => ctx.output.detail(`Reading ${step}`);
    return await verifyFile({ ctx: app.ctx, signal: ctx.signal, onProgress });
  } finally {
    await app.close();
  }
}
