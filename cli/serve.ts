import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import type { Ctx } from '../src/context.ts';
import type { Server } from '../src/serve.ts';
import { printReady, type Ready, setupOf } from './banner.ts';
import { type BaseContext, defineCommand } from './command.ts';
import { DEMO_DATABASE, prepareDemo } from './demo.ts';
import { provisionLedger } from './provision.ts';
import { EXIT, type ExitCode } from './user-error.ts';

/** Time that running requests get after Ctrl-C. */
const DRAIN_MS = 10_000;

export const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server: ingest, API and dashboard',
  options: {
    host: { value: 'ADDRESS', summary: 'Address to listen on (HOST); 127.0.0.1 by default', config: 'HOST' },
    port: { value: 'PORT', summary: 'Port to listen on (PORT); 4318 by default', config: 'PORT' },
    demo: { summary: `Serve two months of demo data from ${DEMO_DATABASE}` },
  },
  examples: [
    'spanledger serve',
    'spanledger serve --demo',
    'spanledger serve --db /var/lib/spanledger/ledger.db --host 0.0.0.0 --port 8080',
  ],
  drains: true,
  run: async (ctx) => {
    const { demo } = ctx.options;
    const { values, sources } = ctx.config();
    const useDefault = demo && sources.DATABASE_URL !== 'flag';
    const config = useDefault ? { ...values, DATABASE_URL: `file:${DEMO_DATABASE}` } : values;
    const { isShared } = await import('../src/servers/is-shared.ts');
    if (!demo && isShared(config)) return serveShared(ctx, config);
    const [{ openApp }, { serve: listen }, { jobsOf, startScheduler }, { modules }] = await Promise.all([
      import('../src/app.ts'),
      import('../src/serve.ts'),
      import('../src/core/jobs/index.ts'),
      import('../src/features.ts'),
    ]);
    const app = openApp({ config, mode: 'serve' });
    let server: Server;
    try {
      await checkLists(app.ctx);
      if (!demo) await provisionLedger(ctx, app);
      server = listen(app, { host: config.HOST, port: config.PORT });
    } catch (error) {
      await app.close();
      throw error;
    }
    const scheduler = await startScheduler(app.ctx, jobsOf(modules));
    const stop = async (): Promise<void> => {
      await scheduler.stop();
      await server.stop();
    };
    try {
      const access = demo ? await prepareDemo(ctx, app) : undefined;
      const url = server.pages;
      const ready: Ready = {
        url,
        database: app.ctx.db.path,
        migrated: app.ctx.db.migrated,
        setup: await setupOf(app, url),
        demo: access,
      };
      warnOfOpenDoors(ctx, config);
      if (!ctx.signal.aborted) printReady(ctx, ready);
      await aborted(ctx.signal);
    } catch (error) {
      await stop();
      throw error;
    }
    return drain(ctx, stop);
  },
});

/** One of several servers: jobs, commands and setup are the leader's. */
const serveShared = async (ctx: BaseContext, config: Config): Promise<ExitCode> => {
  const [{ openNode }, { serveNode }, { jobsOf, startScheduler }, { modules }, { versionInfo }] =
    await Promise.all([
      import('../src/servers/node.ts'),
      import('../src/serve.ts'),
      import('../src/core/jobs/index.ts'),
      import('../src/features.ts'),
      import('../src/version.ts'),
    ]);
  const { version } = versionInfo();
  let leading: App | null = null;
  const server = await serveNode(
    (onLead) => openNode({ config, version, onLead }),
    { host: config.HOST, port: config.PORT, config },
    async (app) => {
      await checkLists(app.ctx);
      await provisionLedger(ctx, app);
      const scheduler = await startScheduler(app.ctx, jobsOf(modules));
      leading = app;
      return {
        stop: () => {
          leading = null;
          return scheduler.stop();
        },
      };
    },
  );
  const app = leading as App | null;
  warnOfOpenDoors(ctx, config);
  if (!ctx.signal.aborted)
    printReady(ctx, {
      url: server.pages,
      database: config.DATABASE_URL,
      migrated: app?.ctx.db.migrated ?? [],
      setup: app === null ? undefined : await setupOf(app, server.pages),
      demo: undefined,
    });
  await aborted(ctx.signal);
  return drain(ctx, server.stop);
};

/** A wrong setting is reported at the start, not at the first sign-in or in the night. */
const checkLists = async (ctx: Ctx): Promise<void> => {
  const [{ authOf }, { modelsOf }, { connectorsOf }] = await Promise.all([
    import('../src/core/auth/index.ts'),
    import('../src/core/models/index.ts'),
    import('../src/features/reconcile/index.ts'),
  ]);
  authOf(ctx).issuers();
  connectorsOf(ctx);
  modelsOf(ctx);
};

const loopback = /^(127\.|::1$|localhost$)/;

const warnOfOpenDoors = (
  { output }: BaseContext,
  { HOST, PORT, PUBLIC_URL, SIGNUP, SMTP_URL }: Config,
): void => {
  if (!loopback.test(HOST) && !PUBLIC_URL?.startsWith('https:'))
    output.warn(`Listening on ${HOST} without TLS, open to the network: use a TLS proxy and set PUBLIC_URL`);
  if (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).pathname !== '/')
    output.warn(
      `The dashboard works only at the root of a host name, and PUBLIC_URL is ${PUBLIC_URL}: give it a name of its own`,
    );
  if (SIGNUP === 'open') output.warn('Anybody can create an account (SIGNUP is open)');
  if (SMTP_URL === undefined) {
    output.info(
      'No mail is sent (SMTP_URL is not set): `users invite-link` and `users reset-link` print links',
    );
  } else if (PUBLIC_URL === undefined) {
    output.warn(
      `Links in mails lead to http://${HOST}:${PORT}; set PUBLIC_URL to the server's public address`,
    );
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const drain = async (ctx: BaseContext, stop: () => Promise<void>): Promise<ExitCode> => {
  const timeout = Bun.sleep(DRAIN_MS).then(() => 'late' as const);
  const outcome = await Promise.race([stop().then(() => 'done' as const), timeout]);
  if (outcome === 'done') ctx.output.success('Stopped; all acknowledged events are stored');
  else ctx.output.warn('Stopped after 10 s with unanswered requests; all acknowledged events are stored');
  return EXIT.ok;
};
