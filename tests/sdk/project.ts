import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFolder } from '../helpers/folder.ts';

const root = join(import.meta.dir, '../..');

/** The result of a program. */
export type Ran = {
  readonly code: number;
  /** The signal that ended it; absent if none did. */
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
};

/** A user's project with the packed client and the providers' packages installed. */
export type Project = {
  readonly tarball: string;
  path(name: string): string;
  write(name: string, text: string): Promise<void>;
  /** Runs a program in the project; of this process's environment it inherits only PATH. */
  run(command: readonly string[], env?: Record<string, string>): Promise<Ran>;
  remove(): void;
};

const run = async (
  command: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ran> => {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const { signalCode } = child;
  return { code, ...(signalCode !== null && { signal: String(signalCode) }), stdout, stderr };
};

const must = async (ran: Promise<Ran>): Promise<Ran> => {
  const done = await ran;
  if (done.code !== 0) throw new Error(`${done.stdout}${done.stderr}`);
  return done;
};

/** Builds and packs the client; returns the path of the tarball. */
const pack = async (): Promise<string> => {
  const folder = openFolder();
  process.once('exit', folder.remove);
  const built = folder.path('package');
  // Bun keeps a cache in HOME, which must not be the repository.
  await must(run([process.execPath, 'build-sdk.ts', built], root, { HOME: folder.path('.') }));
  await must(run([process.execPath, 'pm', 'pack', '--destination', folder.path('.')], built));
  const [tarball = ''] = new Bun.Glob('*.tgz').scanSync(folder.path('.'));
  return folder.path(tarball);
};

/** Packages of the providers and frameworks, which an application has beside the client. */
const PROVIDERS = [
  '@ai-sdk/openai',
  '@anthropic-ai/sdk',
  '@arizeai/openinference-instrumentation-openai',
  '@aws-sdk/client-bedrock-runtime',
  '@google/genai',
  '@langchain/core',
  '@langchain/openai',
  '@mistralai/mistralai',
  '@opentelemetry/api',
  '@opentelemetry/sdk-node',
  'ai',
  'ai-5',
  'ai-6',
  'ai-sdk-openai-2',
  'ai-sdk-openai-3',
  'cohere-ai',
  'groq-sdk',
  'openai',
] as const;

/** Packed once for all test files, because it takes seconds. */
let packed: Promise<string> | undefined;

/** Timeout of building, packing and installing, in milliseconds. */
export const PROJECT_TIMEOUT = 60_000;

/** Builds, packs and installs the client. */
export const openProject = async (): Promise<Project> => {
  packed ??= pack();
  const tarball = await packed;
  const folder = openFolder();
  const project = folder.path('project');
  mkdirSync(project);
  const manifest = { type: 'module', dependencies: { spanledger: `file:${tarball}` } };
  await Bun.write(join(project, 'package.json'), JSON.stringify(manifest));
  await must(run([process.execPath, 'install'], project));
  for (const name of PROVIDERS) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  return {
    tarball,
    path: (name) => join(project, name),
    write: async (name, text) => void (await Bun.write(join(project, name), text)),
    run: (command, env) => run(command, project, env),
    remove: folder.remove,
  };
};

/** Path of Node; the client also supports Node, so the tests need it. */
export const nodeCommand = (): string => {
  const node = Bun.which('node');
  if (node === null) throw new Error('the tests of the client need node (20 or later) on the PATH');
  return node;
};
