import type { Ctx } from '../../../context.ts';
import type { Role } from '../../../core/tenancy/contract.ts';
import { type EventScope, hasRole, ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { Actor } from '../../../module.ts';
import { answerQuery } from './answer-query.ts';
import { askByModel, defaultModel } from './by-model.ts';
import type { AskReply } from './contract.ts';
import { EXAMPLES } from './examples.ts';
import { nearestQuestion } from './grammar/nearest-question.ts';
import { readQuestion } from './grammar/read-question.ts';
import { type Known, listKnown, listRareNames } from './list-names.ts';
import type { Meaning, Reading, ReadQuestion } from './question.ts';

export type AskInput = {
  readonly question: string;
  readonly timeZone: string;
  readonly context?: Meaning | undefined;
  readonly now: number;
};

/** Who asks, so that a model may be called for it. Null: no model is called. */
export type Asker = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  readonly role: Role;
  readonly model: string | undefined;
  readonly signal: AbortSignal;
} | null;

/** What was read of a question, and with which names. */
type Read = { readonly read: ReadQuestion; readonly reading: Reading };

/**
 * Answers a question: fixed rules read it, and what they cannot read goes to a model.
 * @throws AppError 400 if the query would read too much; what `askModel` throws
 */
export async function ask(
  ctx: Ctx,
  { scope, projectId }: { readonly scope: EventScope; readonly projectId: string },
  input: AskInput,
  asker: Asker,
): Promise<AskReply> {
  const { read, reading } = await readWithNames(ctx, { scope, projectId }, input);
  if (read.meaning !== null) {
    const figures = await answerQuery(ctx, scope, read.meaning, input.now);
    return { question: input.question, source: 'grammar', model: null, ...figures, refusal: null };
  }
  const blocked = whyNoModel(ctx, asker);
  if (asker === null || blocked !== null) return refused(input, { read, reading }, blocked ?? NO_SERVER);
  const model = asker.model ?? defaultModel(ctx) ?? '';
  const found = await askByModel(ctx, { ...asker, model }, { question: input.question, reading });
  if ('refusal' in found) return { ...refused(input, { read, reading }, found.refusal), model };
  const figures = await answerQuery(ctx, scope, found.meaning, input.now);
  return { question: input.question, source: 'model', model, ...figures, refusal: null };
}

/** Like `ask`, with the project's scope for both. */
export const askInProject = (
  ctx: Ctx,
  scope: ProjectScope,
  input: AskInput,
  asker: Asker,
): Promise<AskReply> => ask(ctx, { scope: ofProject(scope), projectId: scope.projectId }, input, asker);

async function readWithNames(
  ctx: Ctx,
  { scope, projectId }: { readonly scope: EventScope; readonly projectId: string },
  { question, timeZone, context, now }: AskInput,
): Promise<Read> {
  const known: Known = await listKnown(ctx, scope, { projectId, now });
  const reading: Reading = { ...known, now, timeZone, context };
  const first = readQuestion(question, reading);
  if (first.unknown.length === 0 && !question.includes('"')) return { read: first, reading };
  const more = { ...reading, names: [...known.names, ...(await listRareNames(ctx, scope, now))] };
  return { read: readQuestion(question, more), reading: more };
}

const NO_SERVER = 'The rules do not understand this question, and only a server can ask a model.';

/** Why no model may be asked; null if one may. */
function whyNoModel(ctx: Ctx, asker: Asker): string | null {
  if (asker === null) return NO_SERVER;
  if (defaultModel(ctx) === null)
    return 'The rules do not understand this question, and no model is configured that could read it. The operator sets OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, AI_BASE_URL with AI_MODEL, or MODELS_FILE.';
  if (!hasRole(asker.role, 'member'))
    return 'The rules do not understand this question. Members of the organization can have a model read it; you are a viewer.';
  return null;
}

/** What was understood and what was not, in a sentence. */
function understoodText({ understood, left, unknown }: ReadQuestion): string {
  if (unknown.length === 0) return understood.length === 0 ? '' : `I understood ${understood.join(', ')}. `;
  const missing = unknown.map((word) => (left.includes(word) ? `“${word}”` : word)).join(', ');
  return understood.length === 0
    ? `I did not understand ${missing}. `
    : `I understood ${understood.join(', ')}, but not ${missing}. `;
}

function refused({ question }: AskInput, { read, reading }: Read, why: string): AskReply {
  const { understood, unknown } = read;
  return {
    question,
    source: null,
    model: null,
    query: null,
    baseline: null,
    start: null,
    end: null,
    measures: [],
    rows: [],
    chart: null,
    answer: null,
    refusal: {
      message: `${understoodText(read)}${why}`,
      understood: [...understood],
      unknown: [...unknown],
      nearest: nearestQuestion(question, read, reading),
      examples: [...EXAMPLES],
    },
  };
}
