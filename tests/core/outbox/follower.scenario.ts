/**
 * A process for the kill test: commits causes with their events and delivers them until it is killed, or with
 * `drain` delivers what is left. Arguments: folder, epoch milliseconds, `work` or `drain`.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineDurableEvent } from '../../../src/context.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { organizations } from '../../../src/core/orgs/table.ts';
import { createOutboxModule, outboxStatement, outboxWritten } from '../../../src/core/outbox/index.ts';
import { follow, type Job, type Module } from '../../../src/module.ts';
import { openJobFixture } from '../jobs/fixture.ts';

const [folder = '', now = '0', task] = process.argv.slice(2);
const orgAdded = defineDurableEvent<{ id: string }>('org.added');
const following = (name: string): Module => ({
  name,
  on: [
    follow(orgAdded, async (_, { id }) => {
      await new Promise(setImmediate);
      appendFileSync(join(folder, name), `${id}\n`);
      return 'done';
    }),
  ],
});
const modules = [following('first'), following('second')];
const outboxModule = createOutboxModule(() => modules);
const { ctx, close } = openJobFixture(Number(now), [outboxModule, ...modules], folder);

async function addOrg(): Promise<void> {
  const id = Bun.randomUUIDv7();
  await ctx.db.sql.batch([
    ctx.db.sql.insert(organizations).values({ id, name: id, plan: 'free', createdAt: new Date(ctx.now()) }),
    outboxStatement(ctx, orgAdded, { id }),
  ]);
  ctx.emit(outboxWritten);
}

if (task === 'drain') {
  await runJob(ctx, (outboxModule.jobs as [Job])[0], 'schedule');
  await close(true);
} else {
  for (;;) {
    await addOrg();
    process.stdout.write('cause\n');
  }
}
