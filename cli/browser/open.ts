import { type BaseContext, defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';

/** Things that have a page of their own, or a drawer, with its path below the project. */
const THINGS: Readonly<Record<string, (id: string) => string>> = {
  trace: (id) => `traces/${encodeURIComponent(id)}`,
  event: (id) => `events?event=${encodeURIComponent(id)}`,
  session: (id) => `sessions/${encodeURIComponent(id)}`,
  user: (id) => `users/${encodeURIComponent(id)}`,
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const open = defineCommand({
  name: 'open',
  summary: 'Open the dashboard, a page of it, or a trace, event, session or user in the browser',
  args: {
    what: {
      summary: `A page such as costs; or ${Object.keys(THINGS).join(', ')} and an id; or the id of an event or trace`,
      optional: true,
    },
    id: { summary: 'Id of the trace, event, session or user', optional: true },
  },
  options: { ...projectOption, print: { summary: 'Only print the address' } },
  examples: [
    'spanledger open',
    'spanledger open costs -p assistant',
    'spanledger open trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'spanledger open 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const path = pathOf(args.what, args.id);
    const url = await readOfProject(ctx, options.project, {
      file: async (app, _, { id }) => `${await servedAddress(app.db.path)}/projects/${id}/${path}`,
      server: async ({ url }, { id }) => `${url}/projects/${id}/${path}`,
    });
    const opened = !options.print && !output.json && (await openBrowser(ctx, url));
    output.result({ url, opened }, () => {
      output.raw(`${url}\n`);
      if (opened) output.info('Opened in the browser');
      else if (!options.print) output.info('No browser found; open the address yourself');
    });
  },
});

/** The path below a project. Throws usage (2). */
const pathOf = (what: string | undefined, id: string | undefined): string => {
  if (what === undefined) return 'overview';
  const thing = THINGS[what];
  if (thing !== undefined) {
    if (id !== undefined) return thing(id);
    throw usageError(`Which ${what}?`, `Add its id: spanledger open ${what} ID`);
  }
  if (id !== undefined)
    throw usageError(`${what} takes no id`, `Ids are for ${Object.keys(THINGS).join(', ')}`);
  if (UUID.test(what)) return THINGS.event?.(what) ?? '';
  if (/^[0-9a-f]{32}$/i.test(what)) return THINGS.trace?.(what) ?? '';
  if (/^[a-z][a-z0-9/-]*$/.test(what)) return what;
  throw usageError(
    `${JSON.stringify(what)} is neither a page nor the id of an event or trace`,
    `Name what it is: spanledger open ${Object.keys(THINGS).join('|')} ID`,
  );
};

/** Where the server of the file is. Throws `not_served` (1) without one. */
const servedAddress = async (databasePath: string): Promise<string> => {
  const { pagesAddress } = await import('../../src/serve.ts');
  const address = await pagesAddress(databasePath);
  if (address !== null) return address.replace(/\/+$/, '');
  throw new UserError({
    what: `No server runs with ${databasePath}`,
    fix: 'Start `spanledger serve`, or name another server with --server',
    code: 'not_served',
    exit: EXIT.failure,
  });
};

/** Whether a program took the address. Nothing is started without a display, or where output is not for a person. */
const openBrowser = async ({ env, signal }: BaseContext, url: string): Promise<boolean> => {
  const command =
    process.platform === 'darwin'
      ? 'open'
      : env.BROWSER || (env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined);
  if (command === undefined || Bun.which(command) === null) return false;
  const browser = Bun.spawn([command, url], { stdio: ['ignore', 'ignore', 'ignore'], signal });
  // A browser that runs on in the foreground has opened the address.
  const code = await Promise.race([browser.exited, Bun.sleep(3_000).then(() => 0)]);
  browser.unref();
  return code === 0;
};
