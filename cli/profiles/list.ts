import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { type Profile, readProfiles } from '../remote/profiles.ts';

const columns: readonly Column<Profile>[] = [
  { header: 'name', value: ({ name }) => name, fixed: true },
  { header: 'server', value: ({ url }) => url },
  { header: 'token', value: ({ token }) => ({ text: `${token.slice(0, 12)}…`, tone: 'dim' }), fixed: true },
];

export const profilesList = defineCommand({
  name: 'profiles list',
  summary: 'List the servers that `login` stored a token for',
  examples: ['spanledger profiles list'],
  run: ({ env, output }) => {
    const profiles = readProfiles(env);
    output.result({ profiles: profiles.map(({ name, url }) => ({ name, url })) }, () => {
      if (profiles.length === 0) return output.info('None yet; store one with `spanledger login URL`');
      output.table(columns, profiles);
    });
  },
});
