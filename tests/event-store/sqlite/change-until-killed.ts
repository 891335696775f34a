import { eventsOf } from '../../../src/core/events/index.ts';
import type { WriteOp, Writes } from '../../../src/db/group-commit.ts';
import { findOrCreate, openContext } from '../support/sqlite.ts';
import { sqliteWrites } from '../support/sqlite-writes.ts';
import { CHANGES } from './changes-to-kill.ts';

// A program: makes a change in a file and kills itself at one of its writes, before or after COMMIT. It ends normally
// if the change has fewer writes.
const [path = '', name = '', step = '', phase = ''] = process.argv.slice(2);
let writes = 0;

const kill = (): void => void process.kill(process.pid, 'SIGKILL');

/** The operation, which dies after its statements of the chosen write. */
const dying = (op: WriteOp): WriteOp => ({
  ...op,
  open(connection, env) {
    const opened = op.open(connection, env);
    return {
      ...opened,
      apply(payload) {
        const result = opened.apply(payload);
        if (phase === 'applied' && writes++ === Number(step)) kill();
        return result;
      },
    };
  },
});

const dyingWrites: Writes = { ...sqliteWrites, ops: sqliteWrites.ops.map(dying) };
const { ctx, close } = openContext(path, 'inline', dyingWrites);
const project = await findOrCreate(ctx, 'killed', 'Acme');
const { writer } = ctx.db;
const { write } = writer;
// What opening the store writes is done; the change begins.
await eventsOf(ctx).health();
writes = 0;
Object.assign(writer, {
  async write(...args: Parameters<typeof write>) {
    const result = await write(...args);
    if (phase === 'committed' && writes++ === Number(step)) kill();
    return result;
  },
});
await CHANGES[name]?.run(ctx, project);
await close();
