import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { badRequest } from '../../../errors.ts';
import type { Target } from '../../../lib/simulations/definition.ts';
import type { TriedTarget } from '../contract.ts';
import { findSuite } from '../queries.ts';
import { sendSteps } from '../run/send-http.ts';
import { secretsOf } from '../secrets.ts';

/** Sends one message to a target; nothing is stored. Throws AppError 400, 404. */
export async function tryTarget(
  ctx: Ctx,
  { projectId }: ProjectScope,
  { target, message, simulationId }: { target: Target; message: string; simulationId?: string | undefined },
  signal: AbortSignal,
): Promise<TriedTarget> {
  if (target.kind === 'prompt') throw badRequest('target: try a prompt in the playground');
  if (target.kind === 'function') throw badRequest('target: a function is called by the SDK only');
  const secrets =
    simulationId === undefined
      ? {}
      : secretsOf(ctx, (await findSuite(ctx, projectId, { id: simulationId })).row);
  const id = randomBytes(16).toString('hex');
  const reply = await sendSteps(ctx, {
    target,
    secrets,
    signal,
    key: `try-${id}`,
    traceId: id,
    sent: {
      turn: 1,
      message,
      messages: [{ role: 'user', content: message }],
      scenario: 'try',
      repetition: 1,
      seed: 1,
      conversationId: `try-${id}`,
    },
  });
  return {
    ...reply,
    toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: call.arguments ?? null })),
  };
}
