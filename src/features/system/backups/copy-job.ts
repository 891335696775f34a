import { setPriority } from 'node:os';
import type { Ctx } from '../../../context.ts';
import { selfCommand } from '../../../db/self-command.ts';
import type { Job } from '../../../module.ts';

/** Of the copying process: what the server does meanwhile goes first. */
const NICE = 10;
const MAX_MESSAGE = 1_000;

/** Runs `spanledger backup` as a process of its own, because copying would stop this one. */
export const backupHourly: Job = {
  name: 'backup.copy',
  summary: 'Copy the database into the folder BACKUP_TO, and delete copies that BACKUP_KEEP does not keep',
  schedule: '5 * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const { BACKUP_TO: folder } = ctx.config;
    if (folder === undefined) return {};
    const child = Bun.spawn([...selfCommand(), ...argumentsOf(ctx, folder)], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
    });
    setPriority(child.pid, NICE);
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(failureIn(stderr) || `spanledger backup ended with ${code}`);
    const { file, bytes, deleted } = JSON.parse(stdout) as {
      file: string;
      bytes: number;
      deleted: unknown[];
    };
    return { file, bytes, deleted: deleted.length };
  },
};

function argumentsOf({ config, db }: Ctx, folder: string): string[] {
  const { BACKUP_KEEP, BACKUP_PASSPHRASE_FILE } = config;
  const passphrase =
    BACKUP_PASSPHRASE_FILE === undefined ? [] : ['--passphrase-file', BACKUP_PASSPHRASE_FILE];
  const target = folder.endsWith('/') ? folder : `${folder}/`;
  return ['backup', target, '--db', db.path, '--keep', BACKUP_KEEP, '--json', ...passphrase];
}

/** What the command says is wrong, and how to fix it. */
function failureIn(stderr: string): string {
  const text = stderr.trim().slice(0, MAX_MESSAGE);
  try {
    const { error, fix } = JSON.parse(text) as { error: string; fix: string };
    return `${error}. ${fix}`;
  } catch {
    return text;
  }
}
