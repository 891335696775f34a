import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { eventsOf } from '../events/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import type { Target } from './contract.ts';

/** The columns of a row that say what it is about, and the name of the trace. */
type About = {
  readonly traceId: string;
  readonly spanId: string;
  readonly sessionId: string;
  readonly aboutUser: string;
  readonly endsAt: Date;
  readonly name: string;
};

/** Finds a trace or session. Throws AppError 404 if the project has no such one. */
export async function aboutOf(ctx: Ctx, scope: ProjectScope, target: Target): Promise<About> {
  const { traceId = '', spanId = '', sessionId = '' } = target;
  const events = eventsOf(ctx);
  const found =
    traceId === ''
      ? (await events.session(ofProject(scope), sessionId))?.parse().session
      : await events.traceLine(ofProject(scope), traceId);
  if (found === undefined || found === null)
    throw notFound(`There is no such ${traceId === '' ? 'session' : 'trace'} in this project`);
  return {
    traceId,
    spanId,
    sessionId,
    aboutUser: found.user_id ?? '',
    endsAt: new Date(found.end),
    name: 'name' in found ? found.name : '',
  };
}
