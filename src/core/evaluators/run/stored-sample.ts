import type { Ctx } from '../../../context.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { type EventSubject, eventsOf, type SubjectQuery } from '../../events/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { Sample } from './sample.ts';

/**
 * A trace or session as an evaluator sees it: input and output of the root, or where it has none of the last call; the
 * latency of all of it; the cost of a single call.
 */
export function subjectSample({ from, to, root, call }: EventSubject): Sample {
  return {
    input: root.input ?? call?.input,
    output: root.output ?? call?.output,
    latencyMs: root.latency_ms ?? to - from,
    costUsd: root.cost_usd ?? call?.cost_usd ?? null,
  };
}

/** A stored trace or span. Throws AppError 404 without one, 400 if its content is not stored. */
export async function storedSample(ctx: Ctx, scope: ProjectScope, target: SubjectQuery): Promise<Sample> {
  const [found] = await eventsOf(ctx).subjects(ofProject(scope), { of: [target], content: true });
  if (found === undefined || found === null) throw notFound('There is no such trace or span in this project');
  const sample = subjectSample(found);
  if (sample.output === undefined)
    throw badRequest('The content of this trace is not stored; turn on storePrompts, or paste an example');
  return sample;
}
