import type { Ctx } from '../../../context.ts';
import { metricsDocumentSchema, type ScoreMeasure } from '../../events/query/contract.ts';
import { listDefinitions, runDocument } from '../../scores/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { VersionScore } from './contract.ts';

const MAX_SCORES = 20;
/** A document has at most 10 measures: the value and the count of each score. */
const PER_DOCUMENT = 5;

type Asked = {
  readonly filter: string;
  /** ISO 8601 UTC. */
  readonly start: string;
  readonly end: string;
  /** Most versions. */
  readonly limit: number;
};

/** The scores of the versions of a prompt, by the version as events name it. */
export async function readVersionScores(
  ctx: Ctx,
  scope: ProjectScope,
  asked: Asked,
): Promise<Map<string | null, VersionScore[]>> {
  const known = (await listDefinitions(ctx, scope.projectId))
    .flatMap(({ name, type }) => (type === 'category' ? [] : [{ name, type }]))
    .slice(0, MAX_SCORES);
  const byVersion = new Map<string | null, VersionScore[]>();
  for (let from = 0; from < known.length; from += PER_DOCUMENT) {
    const some = known.slice(from, from + PER_DOCUMENT);
    const measures = some.flatMap(({ name }): ScoreMeasure[] => [`score:${name}`, `scoreCount:${name}`]);
    const document = metricsDocumentSchema.parse({ ...asked, measures, groupBy: ['promptVersion'] });
    const { groups } = await runDocument(ctx, ofProject(scope), document, ctx.now());
    for (const { key, values } of groups) {
      const version = key.promptVersion ?? null;
      const scores = some.flatMap(({ name, type }) => {
        const [mean, count] = [values[`score:${name}`] ?? null, values[`scoreCount:${name}`] ?? 0];
        return mean === null ? [] : [{ name, type, mean, count }];
      });
      byVersion.set(version, [...(byVersion.get(version) ?? []), ...scores]);
    }
  }
  return byVersion;
}
