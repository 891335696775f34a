import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { end } from '../end.ts';
import { utcTime } from '../moment.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  apiKey: z.string(),
  projectId: z.string(),
  name: z.string(),
  expiresAt: z.string().nullable(),
});

export const keysCreate = defineCommand({
  name: 'keys create',
  summary: 'Create an API key for a project; it is shown once',
  options: {
    project: { value: 'PROJECT', summary: 'Id or name of the project', required: true, short: 'p' },
    name: { value: 'NAME', summary: 'Name of the key', required: true },
    expires: { value: 'WHEN', summary: '90d, 12h, a date or a time; never by default', type: end },
  },
  examples: [
    'spanledger keys create --project assistant --name production',
    'spanledger keys create -p assistant --name trial --expires 30d',
    'KEY=$(spanledger keys create -p assistant --name ci --quiet)',
  ],
  run: async (ctx) => {
    const { output, options } = ctx;
    const { project, name, expires: expiresAt } = options;
    const key = await act(ctx, { action: 'keys.create', input: { project, name, expiresAt }, reply });
    output.result(key, () => {
      output.success(`Key ${key.id} (${key.name}) for project ${key.projectId}`);
      output.raw(`${key.apiKey}\n`);
      output.info('Shown only once. Send it in the header x-api-key. It can only write events.');
      if (key.expiresAt !== null) output.info(`It works until ${utcTime(Date.parse(key.expiresAt))}`);
    });
  },
});
