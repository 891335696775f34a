import { z } from 'zod';
import { idOrName } from '../../core/orgs/contract.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { defineAction } from '../../module.ts';
import { closeMonth } from './close/close-month.ts';
import { sendStatements } from './close/send-statements.ts';
import { closeMonthEndpoint, definitionInputSchema } from './contract.ts';
import { DEFAULT_LIMIT, readStatements } from './read-statements.ts';
import { definitionOf } from './routes.ts';
import { saveDefinition } from './save-definition.ts';

/** `statements.create`, and a change of what was created. */
export const createStatementsAction = defineAction({
  name: 'statements.create',
  input: z.object({ organization: idOrName, definition: definitionInputSchema }),
  run: async (ctx, { organization, definition: { by, ...settings } }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    return saveDefinition(ctx, actor, { organizationId, by, settings });
  },
});

/** `statements.close`. */
export const closeStatementsAction = defineAction({
  name: 'statements.close',
  input: closeMonthEndpoint.body.omit({ confirm: true }).extend({ organization: idOrName }),
  run: async (ctx, { organization: given, month, by }, actor) => {
    const organization = await findOrganization(ctx, given);
    const organizationId = organization.id;
    const definition = await definitionOf(ctx, organizationId, by);
    const row = await closeMonth(ctx, actor, { organization, definition, month });
    await sendStatements(ctx, row);
    return readStatements(ctx, { organizationId, by, month, from: 0, limit: DEFAULT_LIMIT, lines: false });
  },
});
