import type { App } from '../../src/app.ts';
import { lastMonth } from './options.ts';

/** Bills for teams, with the last month closed. */
export async function createDemoStatements(app: App, organization: string): Promise<void> {
  const { closeStatementsAction, createStatementsAction } = await import(
    '../../src/features/statements/index.ts'
  );
  const by = 'tag:team' as const;
  await app.act(createStatementsAction, {
    organization,
    definition: {
      by,
      markupPercent: 5,
      fees: [{ name: 'Platform', amount: '25' }],
      letterhead: {
        name: 'Demo, Platform engineering',
        address: ['Cost center 4100'],
        footer: 'Charged to the cost center of the team.',
      },
    },
  });
  await app.act(closeStatementsAction, { organization, by, month: lastMonth(app.ctx.now()) });
}
