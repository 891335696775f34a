import { and, asc, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { forgetAnswers } from '../../../core/models/index.ts';
import { badRequest } from '../../../errors.ts';
import {
  type Before,
  type Ended,
  runConversation,
} from '../../../lib/simulations/conversation/run-conversation.ts';
import type { Target, Turn } from '../../../lib/simulations/definition.ts';
import { simulationConversations, simulationTurns } from '../table.ts';
import { askGuardrail, askJudge, playUser } from './ask.ts';
import { checkElsewhere } from './check-work.ts';
import type { ConversationRow, Place, RunContext } from './place.ts';
import { nanoOf, toAnswerRow, toEndedRow } from './rows.ts';
import { sendHttp } from './send-http.ts';
import { sendPrompt } from './send-prompt.ts';
import { traceOf } from './trace-of.ts';

type TurnRow = typeof simulationTurns.$inferSelect;

/**
 * Runs a conversation, from where a crash left it. A message is stored before it is sent. After a crash one without an
 * answer is sent again only to a model or an idempotent target, with the same key; otherwise the conversation is lost.
 * @returns known cost in nano-dollars, without what earlier processes paid
 * @throws AppError 429 and 503, which hold back the run; the signal's reason
 */
export async function runOne(ctx: Ctx, of: RunContext, conversation: ConversationRow): Promise<number> {
  const plan = of.plans.get(conversation.place);
  if (plan === undefined) throw badRequest(`The suite has no scenario ${conversation.scenario} any more`);
  const rows = await readTurns(ctx, conversation);
  const last = rows.at(-1);
  const isOpen = last !== undefined && isPending(last);
  if (isOpen && !mayRepeat(plan.target)) {
    await storeLost(ctx, conversation, rows);
    return 0;
  }
  const before: Before = {
    turns: rows.filter((row) => !isPending(row)).map(toTurn),
    ...(isOpen && { pending: { text: last.user, costUsd: usdOf(last.userCostNano) } }),
  };
  const keys: string[] = [];
  const id = `${conversation.runId}/${conversation.no}/${conversation.round}`;
  const place: Place = {
    conversation,
    plan,
    key(what) {
      const key = `simulation/${id}/${what}`;
      keys.push(key);
      return key;
    },
    trace: (turn) => traceOf(id, turn),
  };
  if (conversation.state === 'waiting') await setRunning(ctx, conversation);
  const { signal } = of;
  const { organizationId } = of.scope;
  const ended = await runConversation(
    plan,
    conversation.repetition,
    {
      send: async (message) => {
        signal.throwIfAborted();
        const { target } = plan;
        if (target.kind === 'prompt') return sendPrompt(ctx, of, { place, target, message });
        if (target.kind === 'function') throw badRequest('A function is called by the SDK only');
        return sendHttp(ctx, of, { place, target, message });
      },
      play: (turns) => playUser(ctx, of, { place, turns }),
      judge: (criterion, turns, no) => askJudge(ctx, of, { place, criterion, turns, no }),
      check: (checks, checked) => checkElsewhere(ctx, { organizationId, signal, checks, checked }),
      guardrail: (name, text) => askGuardrail(ctx, of.scope, name, text),
      begun: (turn, said) => storeBegun(ctx, of, { conversation, turn, said, keys: keys.splice(0) }),
      ended: (turn) => storeTurn(ctx, of, { conversation, turn, keys: keys.splice(0) }),
    },
    before,
  );
  await storeEnded(ctx, of, { conversation, ended, keys });
  return Math.round(ended.costUsd * 1e9);
}

/** Whether a message whose answer is not known may be sent again: models and such targets know the key of the request. */
const mayRepeat = (target: Target): boolean =>
  target.kind === 'prompt' || (target.kind !== 'function' && target.idempotent === true);

const isPending = ({ answer, error }: TurnRow): boolean => answer === null && error === null;
const usdOf = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);

const readTurns = (ctx: Ctx, { runId, no }: ConversationRow): Promise<TurnRow[]> =>
  ctx.db.sql
    .select()
    .from(simulationTurns)
    .where(and(eq(simulationTurns.runId, runId), eq(simulationTurns.no, no)))
    .orderBy(asc(simulationTurns.turn));

const toTurn = (row: TurnRow): Turn => ({
  no: row.turn,
  user: row.user,
  userCostUsd: usdOf(row.userCostNano),
  text: row.answer ?? '',
  toolCalls: row.toolCalls ?? [],
  latencyMs: row.latencyMs ?? 0,
  costUsd: usdOf(row.costNano),
  traceId: row.traceId,
  error: row.error,
  verdicts: row.verdicts ?? [],
});

const ofConversation = ({ runId, no, round }: ConversationRow) =>
  and(
    eq(simulationConversations.runId, runId),
    eq(simulationConversations.no, no),
    eq(simulationConversations.round, round),
  );

const setRunning = async (ctx: Ctx, conversation: ConversationRow): Promise<void> => {
  await ctx.db.sql
    .update(simulationConversations)
    .set({ state: 'running' })
    .where(ofConversation(conversation));
};

type Said = { readonly text: string; readonly costUsd: number | null };
type Begun = {
  readonly conversation: ConversationRow;
  readonly turn: number;
  readonly said: Said;
  readonly keys: readonly string[];
};

/** One transaction: the message, and the end of the kept answer of the model that wrote it. */
async function storeBegun(
  ctx: Ctx,
  { scope, run }: RunContext,
  { conversation, turn, said, keys }: Begun,
): Promise<void> {
  const insert = ctx.db.sql.insert(simulationTurns).values({
    runId: run.id,
    project: scope.no,
    no: conversation.no,
    turn,
    user: said.text,
    userCostNano: nanoOf(said.costUsd),
  });
  await ctx.db.sql.batch([insert, ...(keys.length === 0 ? [] : [forgetAnswers(ctx, scope, keys)])]);
}

type Stored = {
  readonly conversation: ConversationRow;
  readonly turn: Turn;
  readonly keys: readonly string[];
};

async function storeTurn(
  ctx: Ctx,
  { scope, run }: RunContext,
  { conversation, turn, keys }: Stored,
): Promise<void> {
  const update = ctx.db.sql
    .update(simulationTurns)
    .set(toAnswerRow(turn))
    .where(
      and(
        eq(simulationTurns.runId, run.id),
        eq(simulationTurns.no, conversation.no),
        eq(simulationTurns.turn, turn.no),
      ),
    );
  const count = ctx.db.sql
    .update(simulationConversations)
    .set({ turns: turn.no })
    .where(ofConversation(conversation));
  await ctx.db.sql.batch([update, count, ...(keys.length === 0 ? [] : [forgetAnswers(ctx, scope, keys)])]);
}

type Over = {
  readonly conversation: ConversationRow;
  readonly ended: Ended;
  readonly keys: readonly string[];
};

async function storeEnded(
  ctx: Ctx,
  { scope }: RunContext,
  { conversation, ended, keys }: Over,
): Promise<void> {
  const update = ctx.db.sql
    .update(simulationConversations)
    .set(toEndedRow(ended, ctx.now()))
    .where(ofConversation(conversation));
  await ctx.db.sql.batch([update, ...(keys.length === 0 ? [] : [forgetAnswers(ctx, scope, keys)])]);
}

async function storeLost(ctx: Ctx, conversation: ConversationRow, rows: readonly TurnRow[]): Promise<void> {
  const sum = (of: (row: TurnRow) => number | null): number =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const target = sum(({ costNano }) => costNano);
  await ctx.db.sql
    .update(simulationConversations)
    .set({
      state: 'done',
      outcome: 'lost',
      failure: `turn ${rows.length}: the server stopped before the answer came, and the target may have it`,
      turns: rows.length,
      latencyMs: sum(({ latencyMs }) => latencyMs),
      costNano: target + sum(({ userCostNano }) => userCostNano),
      targetCostNano: target,
      unknownCosts: 1,
      endedAt: new Date(ctx.now()),
    })
    .where(ofConversation(conversation));
}
