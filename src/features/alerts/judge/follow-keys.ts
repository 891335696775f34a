import type { Ctx } from '../../../context.ts';
import type { Condition } from '../../../core/events/filter/contract.ts';
import type { EventFilters } from '../../../core/events/index.ts';
import { listReplacements } from '../../../core/keys/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import type { ShapeQuery } from './shape-query.ts';

/**
 * The query with each filter by a key widened to all keys that stood for the same: those that it replaced and that
 * replaced it. Rules keep the key that was chosen, so that their states last.
 */
export async function followKeys(ctx: Ctx, scope: ProjectScope, asked: ShapeQuery): Promise<ShapeQuery> {
  if (!filtersByKey(asked)) return asked;
  const replacements = await listReplacements(ctx, scope.organizationId);
  const lineOf = (id: string): readonly string[] => replacements.get(id) ?? [id];
  const widen = (where: readonly Condition[]): Condition[] =>
    where.map((one) =>
      isOfKey(one) && one.values ? { ...one, values: [...new Set(one.values.flatMap(lineOf))] } : one,
    );
  if (asked.of === 'scores') {
    const shapes = asked.query.shapes.map((shape) => ({ ...shape, where: widen(shape.where) }));
    return { of: 'scores', query: { ...asked.query, shapes } };
  }
  const ofShape = <T extends { readonly filters: EventFilters }>(shape: T): T => {
    const { keyId, where = [], ...filters } = shape.filters;
    const own: Condition[] = keyId === undefined ? [] : [{ field: 'key', not: false, values: [keyId] }];
    return { ...shape, filters: { ...filters, where: widen([...own, ...where]) } };
  };
  if (asked.of === 'runs')
    return { of: 'runs', query: { ...asked.query, shapes: asked.query.shapes.map(ofShape) } };
  return { of: 'calls', query: { ...asked.query, shapes: asked.query.shapes.map(ofShape) } };
}

const isOfKey = ({ field }: Condition): boolean => field === 'key';

/** Whether any shape filters by a key, which is rare. */
const filtersByKey = ({ of, query }: ShapeQuery): boolean =>
  of === 'scores'
    ? query.shapes.some(({ where }) => where.some(isOfKey))
    : query.shapes.some(({ filters }) => filters.keyId !== undefined || filters.where?.some(isOfKey));
