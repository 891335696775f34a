import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulationDetail } from '../../src/features/simulations/contract.ts';
import {
  createSimulationEndpoint,
  listSimulationsEndpoint,
  replaceSimulationEndpoint,
} from '../../src/features/simulations/contract.ts';
import { readSuite, SuiteError } from '../../src/lib/simulations/read-suite.ts';
import type { BaseContext } from '../command.ts';
import { readSource } from '../read-source.ts';
import type { RemoteServer } from '../remote/server.ts';
import { usageError } from '../user-error.ts';

/** A server and the project of the suites. */
export type Place = { readonly server: RemoteServer; readonly query: { readonly projectId: string } };

/** A suite in a file. */
export type SuiteFile = { readonly path: string; readonly name: string; readonly source: string };

/** The files of a path: itself, or those of a folder that end with .yaml, .yml or .json. Throws UserError usage (2). */
export function suitePaths(path: string): string[] {
  if (path === '-' || !existsSync(path) || !statSync(path).isDirectory()) return [path];
  const found = [...new Bun.Glob('**/*.{yaml,yml,json}').scanSync(path)]
    .sort()
    .map((file) => join(path, file));
  if (found.length > 0) return found;
  throw usageError(
    `${path} has no files that end with .yaml, .yml or .json`,
    'Write some with `spanledger simulations pull`',
  );
}

/** Reads and checks a file before anything is sent. Throws UserError usage (2) that names the place. */
export async function readSuiteFile(ctx: BaseContext, path: string): Promise<SuiteFile> {
  const source = await readSource(ctx, path);
  try {
    return { path, source, name: readSuite(parse(source)).name };
  } catch (error) {
    if (error instanceof SuiteError)
      throw usageError(`${path}: ${error.message}`, 'Correct the file; /docs/simulations has examples');
    throw error;
  }
}

function parse(source: string): unknown {
  try {
    return Bun.YAML.parse(source);
  } catch (error) {
    throw new SuiteError(`is neither YAML nor JSON: ${(error as Error).message}`);
  }
}

/** Creates the suite of a file, or brings the one of the same name to what it says. */
export async function pushSuite(
  { server, query }: Place,
  { name, source }: SuiteFile,
  message: string,
): Promise<SimulationDetail & { readonly change: 'created' | 'updated' | 'unchanged' }> {
  const { simulations } = await server.get(listSimulationsEndpoint, { query });
  const known = simulations.find((one) => one.name === name);
  const body = { source, message };
  if (known === undefined)
    return { ...(await server.post(createSimulationEndpoint, { query, body })), change: 'created' };
  const replaced = await server.post(replaceSimulationEndpoint, { params: { id: known.id }, query, body });
  return { ...replaced, change: replaced.version === known.version ? 'unchanged' : 'updated' };
}
