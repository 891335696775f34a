import { existsSync } from 'node:fs';
import { z } from 'zod';
import { labelOf } from '../src/db/remote/place.ts';
import { type BaseContext, defineCommand } from './command.ts';
import type { Column } from './output.ts';
import { passwordOptions, readPassword } from './secret.ts';
import { act, withApp } from './session.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

const reply = z.object({
  organizationId: z.string(),
  projectId: z.string(),
  userId: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
});

interface Made {
  readonly what: string;
  readonly name: string;
  readonly id: string;
}

const columns: readonly Column<Made>[] = [
  { header: '', value: ({ what }) => ({ text: what, tone: 'dim' }), fixed: true },
  { header: '', value: ({ name }) => ({ text: name, tone: 'bold' }) },
  { header: '', value: ({ id }) => id, fixed: true },
];

export const init = defineCommand({
  name: 'init',
  summary: 'Create the first organization, project, owner and API key',
  options: {
    org: { value: 'NAME', summary: 'Name of the organization' },
    project: { value: 'NAME', summary: 'Name of the project' },
    email: { value: 'EMAIL', summary: 'E-mail address of the owner, for signing in' },
    name: { value: 'NAME', summary: "The owner's name" },
    ...passwordOptions,
  },
  examples: [
    'spanledger init',
    'spanledger init --org Acme --project assistant --email ada@example.com \\\n    --password-file ./password --json',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    await refuseOwned(ctx);
    const org = await given(ctx, { value: options.org, flag: '--org', question: 'Organization: ' });
    const project = await given(ctx, { value: options.project, flag: '--project', question: 'Project: ' });
    const email = await given(ctx, { value: options.email, flag: '--email', question: 'Your e-mail: ' });
    const password = await readPassword(ctx, options);
    const input = { org, project, email, name: options.name, password };
    const made = await act(ctx, { action: 'init', input, reply, create: true });
    output.result(made, () => {
      output.table(columns, [
        { what: 'organization', name: org, id: made.organizationId },
        { what: 'project', name: project, id: made.projectId },
        { what: 'owner', name: email, id: made.userId },
        { what: 'API key', name: 'default', id: made.keyId },
      ]);
      output.raw(`export SPANLEDGER_API_KEY=${made.apiKey}\n`);
      output.info('The API key is shown only once. Send it in the header x-api-key.');
      output.info('Next: spanledger serve');
    });
  },
});

/** Checks before the first prompt, so that the user does not answer questions in vain. */
const refuseOwned = async (ctx: BaseContext): Promise<void> => {
  const [{ placeOf }, { statesOf }, { migrations }] = await Promise.all([
    import('../src/db/remote/place-of.ts'),
    import('../src/db/remote/open-remote.ts'),
    import('../migrations/index.ts'),
  ]);
  const place = placeOf(ctx.config().values);
  if (typeof place === 'string' ? !existsSync(place) : isEmpty(statesOf(place, migrations))) return;
  const { hasOwner } = await import('../src/core/orgs/index.ts');
  if (!(await withApp(ctx, (app) => hasOwner(app.ctx)))) return;
  throw new UserError({
    what: `${labelOf(place)} already has an owner`,
    fix: 'Sign in, add people with `spanledger users create`, or point --db at another file',
    code: 'already_initialized',
    exit: EXIT.conflict,
  });
};

const isEmpty = (states: readonly { readonly appliedAt: number | null }[]): boolean =>
  states.every(({ appliedAt }) => appliedAt === null);

interface Question {
  readonly value: string | undefined;
  readonly flag: string;
  readonly question: string;
}

const given = async (ctx: BaseContext, { value, flag, question }: Question): Promise<string> => {
  if (value !== undefined) return value;
  if (!ctx.interactive) throw usageError(`${flag} is required`, `Add ${flag}, or run init at a terminal`);
  const answer = (await ctx.input.ask(question))?.trim();
  if (answer) return answer;
  throw usageError(`${question.replace(': ', '')} is empty`, 'Run the command again');
};
