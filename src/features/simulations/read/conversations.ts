import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { ofProject, ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { badRequest, notFound } from '../../../errors.ts';
import type { Outcome, ToolCall, Verdict } from '../../../lib/simulations/definition.ts';
import { findRunRow } from '../queries.ts';
import { traceOf } from '../run/trace-of.ts';
import type { SimulatedConversation, SimulationTranscript } from '../runs/contract.ts';
import { conversationsRead, type TurnRow, turnsRead } from './conversation-reads.ts';

type Query = {
  readonly id: string;
  readonly outcome?: Outcome | undefined;
  readonly scenario?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A page of conversations. Throws AppError 400, 404. */
export async function listConversations(
  ctx: Ctx,
  scope: ProjectScope,
  { id, outcome = undefined, scenario, cursor, limit }: Query,
): Promise<{ conversations: SimulatedConversation[]; nextCursor: string | null }> {
  await findRunRow(ctx, scope.projectId, id);
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw badRequest('cursor was not returned by this endpoint');
  const wanted = { id, outcome: outcome ?? null, scenario: scenario ?? null, after: Number(cursor ?? 0) };
  const rows = (
    await ctx.db.read(conversationsRead, ofProjects([scope]), { ...wanted, limit: limit + 1, only: null })
  ).parse();
  const page = rows.slice(0, limit).map(({ round: _, criteria: __, ...row }) => row);
  return { conversations: page, nextCursor: rows.length > limit ? String(page.at(-1)?.no ?? '') : null };
}

/** A conversation with all that was said. Throws AppError 404. */
export async function readConversation(
  ctx: Ctx,
  scope: ProjectScope,
  { id, no }: { readonly id: string; readonly no: number },
): Promise<SimulationTranscript> {
  await findRunRow(ctx, scope.projectId, id);
  const wanted = { id, outcome: null, scenario: null, after: 0, limit: 1, only: no };
  const [row] = (await ctx.db.read(conversationsRead, ofProjects([scope]), wanted)).parse();
  if (row === undefined) throw notFound(`The run has no conversation ${no}`);
  const turns = (await ctx.db.read(turnsRead, ofProjects([scope]), { id, no })).parse();
  const { round, criteria, ...conversation } = row;
  const verdictsOf = (text: string | null): Verdict[] =>
    text === null ? [] : (JSON.parse(text) as Verdict[]);
  return {
    ...conversation,
    criteria: verdictsOf(criteria),
    transcript: await Promise.all(
      turns.map(async ({ toolCalls, verdicts, ...turn }) => ({
        ...turn,
        toolCalls: (toolCalls === null ? [] : (JSON.parse(toolCalls) as ToolCall[])).map((call) => ({
          ...call,
          arguments: call.arguments ?? null,
        })),
        verdicts: verdictsOf(verdicts),
        ...(await traceIn(ctx, scope, turn, traceOf(`${id}/${no}/${round}`, turn.turn))),
      })),
    ),
  };
}

type Traced = Pick<SimulationTranscript['transcript'][number], 'traceId' | 'costUsd' | 'isTraceStored'>;

/**
 * The trace of a turn in this project: the one that the target reports, or the one whose id it was sent in `traceparent`.
 * What its calls cost is the cost of a turn of which nothing else is known.
 */
async function traceIn(
  ctx: Ctx,
  scope: ProjectScope,
  { traceId, costUsd }: Pick<TurnRow, 'traceId' | 'costUsd'>,
  sent: string,
): Promise<Traced> {
  const line = await eventsOf(ctx).traceLine(ofProject(scope), traceId ?? sent);
  if (line === null) return { traceId, costUsd, isTraceStored: false };
  const told = line.unpriced > 0 ? null : line.cost_usd;
  return { traceId: traceId ?? sent, costUsd: costUsd ?? told, isTraceStored: true };
}
