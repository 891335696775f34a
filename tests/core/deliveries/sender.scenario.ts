/**
 * A process for the kill test: writes causes with their notifications and sends them until it is killed, or with `drain`
 * sends what is due on the next nine days. Arguments: database file, epoch milliseconds, address of the endpoint, `work` or `drain`.
 */
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createChannel } from '../../../src/core/deliveries/channels/set-channel.ts';
import {
  deliveriesModule,
  listChannels,
  notificationStatement,
  notificationsWritten,
} from '../../../src/core/deliveries/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { createOrganization } from '../../../src/core/orgs/index.ts';
import { organizations } from '../../../src/core/orgs/table.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { untilAccepted } from './until-accepted.ts';
import { MESSAGE } from './world.ts';

const [file = '', now = '0', url = '', task] = process.argv.slice(2);
const config = loadConfig({
  env: { DATABASE_URL: file, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' },
}).values;
let clock = Number(now);
const app = openApp({ config, mode: 'command', now: () => clock });
const { ctx } = app;

/** The organization with the channel; the causes are organizations too, so that every cause is a row. */
async function organizationId(): Promise<string> {
  const [known] = await ctx.db.sql
    .select({ id: organizations.id })
    .from(organizations)
    .orderBy(organizations.createdAt)
    .limit(1);
  const id = known?.id ?? (await app.act(createOrganization, { name: 'Acme' })).id;
  if ((await listChannels(ctx, id)).length === 0)
    await createChannel(
      ctx,
      { kind: 'system', name: 'test' },
      {
        organizationId: id,
        input: { name: 'hook', kind: 'webhook', config: { url }, enabled: true, types: [] },
      },
    );
  return id;
}

const organization = await organizationId();
const channelIds = (await listChannels(ctx, organization)).map(({ id }) => id);

async function addCause(): Promise<void> {
  const id = `org_${Bun.randomUUIDv7('hex')}`;
  const createdAt = new Date(Number(now) + 1);
  const write = () =>
    ctx.db.sql.batch([
      ctx.db.sql.insert(organizations).values({ id, name: 'cause', plan: 'free', createdAt }),
      notificationStatement(ctx, {
        organizationId: organization,
        type: 'alert.fired',
        data: { cause: id },
        message: { ...MESSAGE, subject: id },
        channelIds,
      }),
    ]);
  await untilAccepted(write);
  ctx.emit(notificationsWritten);
}

if (task === 'drain') {
  const job = deliveriesModule.jobs?.[0];
  for (let day = 0; day < 9; day++) {
    if (job !== undefined) await runJob(ctx, job, 'schedule');
    clock += DAY_MS;
  }
  await app.close();
} else {
  for (;;) {
    await addCause();
    process.stdout.write('cause\n');
    await new Promise(setImmediate);
  }
}
