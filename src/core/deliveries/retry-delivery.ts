import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { Delivery } from './contract.ts';
import { notificationsWritten } from './notify.ts';
import { findDelivery, findDeliveryRow } from './queries.ts';
import { deliverySubject } from './subject.ts';
import { deliveries } from './table.ts';

/**
 * Sends a delivery again, from the start of the schedule and with the same id.
 * @param organizationId undefined: of any organization
 * @throws AppError 404; 409 while the channel is disabled
 */
export async function retryDelivery(
  ctx: Ctx,
  actor: Actor,
  { id, organizationId }: { readonly id: string; readonly organizationId?: string },
): Promise<Delivery> {
  const { delivery, channel } = await findDeliveryRow(ctx, id, organizationId);
  if (!channel.enabled) throw conflict(`The channel ${channel.name} is disabled; enable it first`);
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(deliveries)
        .set({ status: 'pending', attempts: 0, nextAt: new Date(ctx.now()), finishedAt: null })
        .where(eq(deliveries.id, id)),
    ],
    audit: [
      {
        action: 'delivery.retried',
        organizationId: delivery.organizationId,
        projectId: delivery.projectId,
        subject: { of: deliverySubject, id },
      },
    ],
  });
  ctx.emit(notificationsWritten);
  return findDelivery(ctx, id);
}
