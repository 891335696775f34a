import type { Me } from '../../src/core/auth/contract.ts';
import { defineCommand } from '../command.ts';
import { utcTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';
import { withApp } from '../session.ts';

type Membership = Me['memberships'][number];

const columns: readonly Column<Membership>[] = [
  { header: 'organization', value: ({ organizationName }) => organizationName },
  { header: 'role', value: ({ role }) => role, fixed: true },
  {
    header: 'projects',
    value: ({ needsSecondFactor, projects }) =>
      needsSecondFactor
        ? { text: 'kept out: no second factor', tone: 'warn' }
        : projects.map(({ name }) => name).join(', '),
  },
];

export const usersShow = defineCommand({
  name: 'users show',
  summary: 'Show a person: organizations with roles, second factor and login sessions',
  args: { email: { summary: 'E-mail address of the person' } },
  examples: ['spanledger users show grace@example.com'],
  run: async (ctx) => {
    const { output, args } = ctx;
    const { showPerson } = await import('../../src/core/auth/index.ts');
    const doc = await withApp(ctx, (app) => showPerson(app.ctx, args.email));
    output.result(doc, () => {
      const { email, name, emailVerified, secondFactor, sessions, memberships } = doc;
      output.line(tinted(name, 'bold'), tinted(`· ${email}`, 'dim'));
      output.raw('\n');
      const [newest] = sessions;
      const last = newest === undefined ? '' : `newest of ${utcTime(Date.parse(newest.createdAt))}`;
      facts(output, [
        { label: 'E-mail address', value: { text: emailVerified ? 'confirmed' : 'not confirmed' } },
        { label: 'Second factor', value: { text: secondFactor ? 'yes' : 'no' } },
        { label: 'Login sessions', value: { text: String(sessions.length) }, note: last },
      ]);
      section(output, 'Organizations');
      if (memberships.length === 0) output.line('Member of none');
      else output.table(columns, memberships);
    });
  },
});
