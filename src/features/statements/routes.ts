import { listService, type Service } from '../../context.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { badRequest, notFound } from '../../errors.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { actorOf } from '../../module.ts';
import { closeMonth } from './close/close-month.ts';
import { sendStatements } from './close/send-statements.ts';
import {
  closeMonthEndpoint,
  deleteDefinitionEndpoint,
  listDefinitionsEndpoint,
  putDefinitionEndpoint,
  type StatementBy,
  statementEndpoint,
  statementsCsvEndpoint,
  statementsEndpoint,
} from './contract.ts';
import { findDefinition, listDefinitions } from './queries.ts';
import { DEFAULT_LIMIT, eachStatement, readStatement, readStatements } from './read-statements.ts';
import { deleteDefinition, saveDefinition } from './save-definition.ts';
import { statementsCsv } from './to-csv.ts';

const gate: Service<FairGate> = {
  name: 'statements.gate',
  open: () => createShare('statements', { running: { total: 4, each: 1 }, waiting: { total: 32, each: 8 } }),
};
export const statementServices = [listService(gate)];

export const statementRoutes = [
  route(statementsEndpoint, (ctx, { query }, { organizationId }) => {
    const { month, by, lines, cursor, limit = DEFAULT_LIMIT } = query;
    const page = { from: Number(cursor ?? 0), limit, lines: lines === 'true' };
    return ctx
      .use(gate)
      .run(organizationId, () => readStatements(ctx, { organizationId, by, month, ...page }));
  }),

  route(statementEndpoint, (ctx, { query }, { organizationId }) => {
    const { month, by, party = null, projectId = null } = query;
    return ctx
      .use(gate)
      .run(organizationId, () => readStatement(ctx, { organizationId, by, month, party, projectId }));
  }),

  route(statementsCsvEndpoint, async (ctx, { query: { month, by } }, { organizationId }) => {
    const leave = await ctx.use(gate).enter(organizationId);
    const parts = eachStatement(ctx, { organizationId, by, month });
    try {
      const first = await parts.next();
      return new Response(toStream(parts, statementsCsv(first.done ? [] : first.value, true), leave), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="statements-${month}.csv"`,
        },
      });
    } catch (error) {
      leave();
      throw error;
    }
  }),

  route(closeMonthEndpoint, async (ctx, input, caller) => {
    const { organizationId } = caller;
    const { month, by, confirm } = input.body;
    if (confirm !== month) throw badRequest(`confirm: must be ${month}, because closing cannot be undone`);
    const organization = await findOrganization(ctx, organizationId);
    const definition = await definitionOf(ctx, organizationId, by);
    return ctx.use(gate).run(organizationId, async () => {
      const row = await closeMonth(ctx, actorOf(caller, input), { organization, definition, month });
      await sendStatements(ctx, row);
      return readStatements(ctx, { organizationId, by, month, from: 0, limit: DEFAULT_LIMIT, lines: false });
    });
  }),

  route(listDefinitionsEndpoint, async (ctx, _input, { organizationId }) => ({
    definitions: await listDefinitions(ctx, organizationId),
    nextCursor: null,
  })),

  route(putDefinitionEndpoint, (ctx, input, caller) => {
    const { by, ...settings } = input.body;
    return saveDefinition(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      by,
      settings,
    });
  }),

  route(deleteDefinitionEndpoint, async (ctx, input, caller) => {
    const { organizationId } = caller;
    await deleteDefinition(ctx, actorOf(caller, input), { organizationId, by: input.query.by });
    return null;
  }),
];

/** @throws AppError 404 */
export async function definitionOf(
  ctx: Parameters<typeof findDefinition>[0],
  organizationId: string,
  by: StatementBy,
) {
  const definition = await findDefinition(ctx, organizationId, by);
  if (definition === null)
    throw notFound(
      `There is no definition for ${by}; save one first: spanledger statements create --by ${shellWord(by)}`,
    );
  return definition;
}

type Parts = ReturnType<typeof eachStatement>;

/** @param leave called when the last part is taken, the client is gone or a part cannot be read */
function toStream(parts: Parts, first: string, leave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(first)),
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (!done) return controller.enqueue(encoder.encode(statementsCsv(value, false)));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      leave();
    },
    async cancel() {
      leave();
      await parts.return(undefined);
    },
  });
}
