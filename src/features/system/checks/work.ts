import type { Ctx } from '../../../context.ts';
import { deliveryBacklog, listTroubledChannels } from '../../../core/deliveries/index.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { outboxBacklog } from '../../../core/outbox/index.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { ofProjects, operatorScope } from '../../../core/tenancy/index.ts';
import { countText } from '../../../lib/figures.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

/** Channels that fail, and notifications that wait too long. */
export async function checkDeliveries(ctx: Ctx): Promise<Finding[]> {
  const [channels, { pending, dueAt }, outbox] = await Promise.all([
    listTroubledChannels(ctx),
    deliveryBacklog(ctx),
    outboxBacklog(ctx),
  ]);
  const found = channels.map(({ id, name, kind, failingSince, disabledReason }): Finding => {
    const fix = `Correct its address, then \`spanledger channels test ${id}\``;
    return disabledReason === null
      ? warn('channels', `The channel ${name} (${kind}) has failed since ${failingSince}`, fix)
      : bad('channels', `The channel ${name} (${kind}) was disabled: ${disabledReason}`, fix);
  });
  const lateMs = dueAt === null ? 0 : ctx.now() - dueAt;
  if (lateMs > 10 * MINUTE_MS)
    found.push(
      warn(
        'deliveries',
        `${countText(pending, 'notification')} wait, the first for ${Math.round(lateMs / MINUTE_MS)} minutes`,
        'A running server sends them: look at its job deliveries.send and its log',
      ),
    );
  if (outbox.givenUp > 0)
    found.push(
      warn(
        'deliveries',
        `${countText(outbox.givenUp, 'internal event')} were given up in the last month`,
        'The log names them and why ("an event was given up")',
      ),
    );
  return found.length > 0 ? found : [ok('channels', 'No channel fails, and no notification is late')];
}

/** Stored events that are known to be damaged. */
export async function checkDamage(ctx: Ctx): Promise<Finding> {
  const projects = await listProjects(ctx);
  const known = await eventsOf(ctx).damage(ofProjects(projects.map(operatorScope)));
  const damaged = known.filter(({ state }) => state === 'damaged');
  if (damaged.length === 0) return ok('events', 'No stored events are known to be damaged');
  const events = damaged.reduce((sum, one) => sum + one.events, 0);
  return bad(
    'events',
    `${countText(events, 'stored event')} cannot be read`,
    'List them with `spanledger events check`, and restore a backup or give them up with `events drop-damaged`',
  );
}
