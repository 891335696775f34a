import { actorOf } from '../../module.ts';
import { type Callers, route } from '../tenancy/index.ts';
import {
  deleteDefinitionEndpoint,
  deleteScoreEndpoint,
  listDefinitionsEndpoint,
  listScoresEndpoint,
  postDefinitionEndpoint,
  postScoresEndpoint,
  putDefinitionEndpoint,
  sdkScoresEndpoint,
} from './contract.ts';
import { changeDefinition, createDefinition, deleteDefinition, listDefinitions } from './definitions.ts';
import { listScores } from './list-scores.ts';
import { deleteScore, type ScoreWriter, writeScores } from './write-scores.ts';

const writerOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): ScoreWriter => ({ scope: caller.scope, actor: actorOf(caller, input) });

export const scoreRoutes = [
  route(listDefinitionsEndpoint, async (ctx, _input, { scope }) => ({
    definitions: await listDefinitions(ctx, scope.projectId),
  })),
  route(postDefinitionEndpoint, (ctx, input, caller) =>
    createDefinition(ctx, writerOf(caller, input), input.body),
  ),
  route(putDefinitionEndpoint, (ctx, input, caller) =>
    changeDefinition(ctx, writerOf(caller, input), { id: input.params.id, input: input.body }),
  ),
  route(deleteDefinitionEndpoint, async (ctx, input, caller) => {
    await deleteDefinition(ctx, writerOf(caller, input), input.params.id);
    return null;
  }),
  route(listScoresEndpoint, (ctx, { query: { projectId: _, ...query } }, { scope }) =>
    listScores(ctx, scope, query),
  ),
  route(postScoresEndpoint, (ctx, input, caller) => {
    const isPerson = caller.tokenId === undefined;
    const given = input.body.map((score) => ({
      ...score,
      source: score.source ?? (isPerson ? ('human' as const) : ('api' as const)),
      createdBy: isPerson ? caller.userId : null,
    }));
    return writeScores(ctx, writerOf(caller, input), given);
  }),
  route(sdkScoresEndpoint, (ctx, { body }, scope) =>
    writeScores(
      ctx,
      // Like events, what a client sends is not audited request by request.
      { scope, actor: { kind: 'system', name: 'key' } },
      body.map((score) => ({ ...score, source: score.source ?? 'api' })),
    ),
  ),
  route(deleteScoreEndpoint, async (ctx, input, caller) => {
    await deleteScore(ctx, writerOf(caller, input), input.params.id);
    return null;
  }),
];
