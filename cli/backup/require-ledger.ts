/**
 * The number of migrations that a file lacks.
 * @throws {DatabaseFileError} (6) if it is no database of this program, or a later version made it
 */
export async function requireLedger(path: string): Promise<number> {
  const [{ DatabaseFileError }, { migrationStates }, { migrations }] = await Promise.all([
    import('../../src/db/file/file-error.ts'),
    import('../../src/db/open.ts'),
    import('../../migrations/index.ts'),
  ]);
  const states = migrationStates(path, migrations);
  const pending = states.filter(({ appliedAt }) => appliedAt === null).length;
  if (pending === states.length)
    throw new DatabaseFileError(`${path} is empty, or another program's database`);
  return pending;
}
