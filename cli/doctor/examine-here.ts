import type { z } from 'zod';
import { labelOf } from '../../src/db/remote/place.ts';
import { examinedSchema, type Finding } from '../../src/features/system/contract.ts';
import { versionInfo } from '../../src/version.ts';
import type { BaseContext } from '../command.ts';
import { withApp } from '../session.ts';

type Examined = z.infer<typeof examinedSchema>;

/** What the running server says of itself; without one, what its file and this machine show. */
export async function examineHere(ctx: BaseContext): Promise<Examined & { readonly serving: boolean }> {
  const [{ placeOf }, { actThroughServer, listeningAddress }] = await Promise.all([
    import('../../src/db/remote/place-of.ts'),
    import('../../src/serve.ts'),
  ]);
  const path = labelOf(placeOf(ctx.config().values));
  const reply = await actThroughServer(path, { action: 'system.examine', input: {} });
  if (reply !== null) {
    const { findings, versions } = examinedSchema.parse(reply.result);
    const address = await listeningAddress(path);
    const reached = address === null ? [] : [await checkReached(address)];
    return { findings: [...reached, compareVersions(versions), ...findings], versions, serving: true };
  }
  const [{ examine }, { jobsOf }, { modules }] = await Promise.all([
    import('../../src/features/system/index.ts'),
    import('../../src/core/jobs/index.ts'),
    import('../../src/features.ts'),
  ]);
  const findings = await withApp(ctx, (app) => examine(app.ctx, jobsOf(modules), null));
  const versions = versionInfo();
  return { findings: [checkPort(ctx), compareVersions(versions), ...findings], versions, serving: false };
}

const isServed = (text: string): Finding => ({ check: 'server', level: 'ok', text, fix: null });

/** Whether the server answers, and can write. */
async function checkReached(address: string): Promise<Finding> {
  const fix = 'Look into the log of the server; if it does not recover, restart it';
  try {
    const reply = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
    if (reply.ok) return isServed(`The server at ${address} answers and can write`);
    const text = `The server at ${address} answers ${reply.status}: ${(await reply.text()).slice(0, 200)}`;
    return { check: 'server', level: 'bad', text, fix };
  } catch {
    return { check: 'server', level: 'bad', text: `The server at ${address} does not answer`, fix };
  }
}

/** Whether a server could start on its address. */
function checkPort(ctx: BaseContext): Finding {
  const { HOST, PORT } = ctx.config().values;
  const text = `No server runs on this file, and ${HOST}:${PORT}`;
  try {
    Bun.listen({ hostname: HOST, port: PORT, socket: { data: () => {} } }).stop();
    return {
      check: 'server',
      level: 'warn',
      text: `${text} is free`,
      fix: 'Start it with `spanledger serve`, if it should run',
    };
  } catch {
    return {
      check: 'server',
      level: 'bad',
      text: `${text} cannot be used: another program has it, or the address is not one of this machine`,
      fix: 'Stop that program, or set HOST and PORT',
    };
  }
}

function compareVersions(served: Examined['versions']): Finding {
  const own = versionInfo();
  const text = `spanledger ${served.version}${served.commit === null ? '' : ` (${served.commit})`}, Bun ${served.bun}${served.sqlite === null ? '' : `, SQLite ${served.sqlite}`}`;
  if (own.version === served.version && own.commit === served.commit)
    return { check: 'versions', level: 'ok', text, fix: null };
  return {
    check: 'versions',
    level: 'warn',
    text: `The server is ${text}; this command is ${own.version} (${own.commit ?? 'from source'})`,
    fix: 'Restart the server, so that the installed version runs',
  };
}
