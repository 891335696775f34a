import { z } from 'zod';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { listRemoteProjects } from '../remote/find.ts';
import { profilesPath, readProfiles, writeProfiles } from '../remote/profiles.ts';
import { openServer } from '../remote/server.ts';
import { parseServer, parseToken, readTokenFile } from '../remote/target.ts';
import { usageError } from '../user-error.ts';

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, 'expected letters, digits, dots, - and _, at most 63');

export const login = defineCommand({
  name: 'login',
  summary: 'Store the access token of a server, for --server',
  args: { url: { summary: 'Address of the server, that of its dashboard' } },
  options: {
    name: { value: 'NAME', summary: 'Short name of the server; by default its host', type: name },
    tokenStdin: { summary: 'Read the token from standard input' },
  },
  examples: [
    'spanledger login https://ledger.example.com --name prod',
    'spanledger login https://ledger.example.com --token-file ./token',
  ],
  run: async (ctx) => {
    const { args, options, output, env } = ctx;
    const url = parseServer(args.url);
    const { hostname } = new URL(url);
    if (url.startsWith('http:') && !/^(localhost|127\..*|\[::1\])$/.test(hostname))
      output.warn(`${url} has no TLS: others on the network can read the token`);
    const others = readProfiles(env).filter((one) => one.url !== url);
    const profile = { name: options.name ?? hostname.replace(/[[\]:]/g, ''), url };
    const taken = others.find((one) => one.name === profile.name);
    if (taken !== undefined)
      throw usageError(`The profile ${taken.name} is for ${taken.url}`, 'Choose another one with --name');
    const token = await tokenOf(ctx, options.tokenStdin);
    const projects = await listRemoteProjects(openServer({ url, token }, ctx.signal));
    writeProfiles(
      env,
      [...others, { ...profile, token }].sort((a, b) => a.name.localeCompare(b.name)),
    );
    output.result({ ...profile, projects }, () => {
      output.success(`Stored in ${profilesPath(env)}, readable by you only`);
      for (const project of projects.slice(0, 10))
        output.line(project.name, { text: `${project.organizationName} · ${project.role}`, tone: 'dim' });
      if (projects.length > 10) output.line(`and ${projects.length - 10} more projects`);
      output.info(
        `Use it with --server ${shellWord(profile.name)}, or set SPANLEDGER_SERVER=${shellWord(profile.name)}`,
      );
    });
  },
});

/** From standard input, --token-file, SPANLEDGER_TOKEN or a prompt. Throws usage (2) if there is none. */
const tokenOf = async (ctx: BaseContext, fromStdin: boolean): Promise<string> => {
  if (fromStdin) return parseToken(await ctx.input.readAll(), 'Standard input');
  if (ctx.tokenFile !== undefined) return readTokenFile(ctx.tokenFile);
  if (ctx.env.SPANLEDGER_TOKEN) return parseToken(ctx.env.SPANLEDGER_TOKEN, 'SPANLEDGER_TOKEN');
  if (!ctx.interactive)
    throw usageError(
      'An access token is required',
      'Add --token-file or --token-stdin, or set SPANLEDGER_TOKEN',
    );
  const typed = await ctx.input.ask('Access token (not shown): ', { hidden: true });
  return parseToken(typed ?? '', 'The answer');
};
