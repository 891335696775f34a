import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from './users-xml.ts';

/** Address of a database of an engine: without the name of a user. */
export type EngineAddress = { readonly port: number; readonly database: string };

const ENTRY = join(import.meta.dir, 'stand-in.ts');

type Running = {
  readonly port: number;
  readonly folder: string;
  child: Bun.Subprocess<'pipe', 'pipe', 'inherit'>;
};

let started: Promise<Running> | null = null;
let taken = 0;

/** Installs the engine, 550 MB, if it is not there. */
export function install(): void {
  if (existsSync(join(import.meta.dir, 'node_modules/chdb'))) return;
  const { exitCode } = Bun.spawnSync([process.execPath, 'install', '--no-save'], {
    cwd: import.meta.dir,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (exitCode !== 0) throw new Error('tests/clickhouse: chdb could not be installed');
}

/** Starts the engine of this process. It ends with the process. */
async function start(): Promise<Running> {
  install();
  const folder = mkdtempSync(join(tmpdir(), 'spanledger-clickhouse-'));
  mkdirSync(folder, { recursive: true });
  const running = await spawn(folder, 0);
  process.on('exit', () => {
    running.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return running;
}

async function spawn(folder: string, wanted: number): Promise<Running> {
  const child = Bun.spawn([process.execPath, ENTRY, folder, String(wanted)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  child.unref();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  const port = Number(new TextDecoder().decode(value).trim());
  if (!Number.isInteger(port) || port === 0) throw new Error('the engine did not start');
  return { port, folder, child };
}

/** Kills the engine of this process, and starts it anew on its folder and port. */
export async function killEngine(): Promise<void> {
  if (started === null) throw new Error('no engine is running');
  const running = await started;
  running.child.kill('SIGKILL');
  await running.child.exited;
  running.child = (await spawn(running.folder, running.port)).child;
}

/** The database that belongs to a folder. Another process that opens the folder finds it by a note there. */
export async function databaseOf(folder: string): Promise<EngineAddress> {
  const note = join(folder, 'clickhouse.json');
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as EngineAddress;
  started ??= start();
  const { port } = await started;
  const database = DATABASES[taken++];
  if (database === undefined) throw new Error(`an engine has ${DATABASES.length} databases`);
  const address = { port, database };
  writeFileSync(note, JSON.stringify(address));
  return address;
}
