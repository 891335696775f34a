import type { Ctx } from '../../../../../context.ts';
import type { ReadOp, ReadScope } from '../../../../../db/reader.ts';
import type { JsonText } from '../../../../../lib/json-text.ts';
import { ADVICE, type Damage, damageOf, describeDamage } from './damaged.ts';
import { type NotedDamage, noteDamageOp } from './note-damage-op.ts';

/**
 * Runs a read of the store. Damaged events that it meets are noted and logged once, and it runs again: edits go on
 * without them.
 * @throws AppError `damaged` if it needs events that are noted as damaged
 */
export async function readEvents<I, O>(
  ctx: Ctx,
  op: ReadOp<I, O>,
  scope: ReadScope,
  input: I,
): Promise<JsonText<O>> {
  for (;;) {
    try {
      return await ctx.db.read(op, scope, input);
    } catch (error) {
      const damage = damageOf(error);
      // A command that only reads can't note it.
      const noted = damage === null ? 'known' : await noteDamage(ctx, damage).catch(() => 'known');
      if (noted === 'known') throw error;
    }
  }
}

/** Notes damage, and logs it if it is new. */
export async function noteDamage(ctx: Ctx, damage: Damage): Promise<NotedDamage> {
  const noted = await ctx.db.writer.write(noteDamageOp, { damage, at: ctx.now() });
  if (noted === 'new')
    ctx.log.error({ damage }, `${describeDamage(damage)}; other events are not affected. ${ADVICE}`);
  return noted;
}
