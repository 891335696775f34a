import { existsSync } from 'node:fs';
import { z } from 'zod';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createUser, initLedger } from '../../src/core/auth/index.ts';
import { createKey } from '../../src/core/keys/index.ts';
import { listOrganizations, setPlan } from '../../src/core/orgs/index.ts';
import { listProjects } from '../../src/core/projects/index.ts';
import { serve } from '../../src/serve.ts';
import type { BenchAccess } from './target.ts';

/** Marks a benchmark's file: only such a file is served without limits. */
const ORGANIZATION = 'Spanledger benchmark';
const PASSWORD = 'only for the benchmark';

/** Serves a benchmark's file without request limits until standard input ends. */
export async function main(path: string): Promise<void> {
  const fresh = !existsSync(path);
  const flags = { DATABASE_URL: `file:${path}`, PORT: '0', LOG_LEVEL: 'warn' };
  const config = loadConfig({ flags }).values;
  const app = openApp({ config, mode: 'serve', rateLimits: false });
  const email = `${Bun.randomUUIDv7()}@example.com`;
  if (fresh) await app.act(initLedger, { org: ORGANIZATION, project: 'bench', email, password: PASSWORD });
  const [organization] = await listOrganizations(app.ctx);
  if (organization?.name !== ORGANIZATION) throw new Error(`${path} is not a benchmark's file`);
  await app.act(setPlan, {
    organization: organization.id,
    plan: 'scale',
    monthlyEvents: 10 ** 12,
    monthlyBytes: 10 ** 15,
  });
  if (!fresh) {
    await app.act(createUser, { organization: organization.id, email, password: PASSWORD, role: 'admin' });
  }
  const [project] = await listProjects(app.ctx);
  if (project === undefined) throw new Error(`${path} has no project`);
  const { apiKey } = await app.act(createKey, { project: project.id, name: 'bench' });
  const body = JSON.stringify({ email, password: PASSWORD });
  const login = await app.fetch(new Request('http://bench/v1/auth/login', { method: 'POST', body }));
  const { token } = z.object({ token: z.string() }).parse(await login.json());
  const server = serve(app, { host: '127.0.0.1', port: 0 });
  const access: BenchAccess = { url: server.url, apiKey, bearer: token, projectId: project.id };
  process.stdout.write(`${JSON.stringify(access)}\n`);
  for await (const _ of Bun.stdin.stream());
  await server.stop();
  process.exit(0);
}
