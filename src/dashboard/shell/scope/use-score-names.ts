import type { listDefinitionsEndpoint } from '../../../core/scores/contract.ts';
import { useApi } from '../api.ts';
import type { Params } from '../endpoint.ts';
import { endpointOf } from '../endpoint.ts';

const definitionsApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');

/** The values that filters offer for each score of a project, by `score.NAME`. */
export function useScoreNames(
  { projectId }: Params,
  { enabled }: { readonly enabled: boolean },
): Readonly<Record<string, readonly string[]>> {
  const { data } = useApi(definitionsApi, { query: { projectId } }, { enabled });
  return Object.fromEntries(
    (data?.definitions ?? []).map(({ name, type, categories }) => [
      `score.${name}`,
      type === 'boolean' ? ['true', 'false'] : (categories ?? []),
    ]),
  );
}
