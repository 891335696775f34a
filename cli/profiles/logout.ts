import { defineCommand } from '../command.ts';
import { readProfiles, writeProfiles } from '../remote/profiles.ts';
import { usageError } from '../user-error.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Delete the stored access token of a server; the token itself stays valid',
  args: { name: { summary: 'Name or address of the server; optional if there is only one', optional: true } },
  examples: ['spanledger logout prod'],
  run: ({ args, env, output }) => {
    const profiles = readProfiles(env);
    const given = args.name?.replace(/\/+$/, '');
    const gone =
      given === undefined && profiles.length === 1
        ? profiles[0]
        : profiles.find(({ name, url }) => name === given || url === given);
    if (gone === undefined) {
      const names = profiles.map(({ name }) => name).join(', ');
      throw usageError(
        given === undefined ? `There are ${profiles.length} profiles` : `There is no profile ${given}`,
        names === '' ? 'Nothing is stored' : `Choose from: ${names}`,
      );
    }
    writeProfiles(
      env,
      profiles.filter((one) => one !== gone),
    );
    output.result({ name: gone.name, url: gone.url }, () => {
      output.success(`The token for ${gone.url} was deleted here`);
      output.info('To end it everywhere, revoke it under Access tokens');
    });
  },
});
