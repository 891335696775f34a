import { randomBytes } from 'node:crypto';
import type { App } from '../src/app.ts';
import { operatorScope } from '../src/core/tenancy/index.ts';
import type { BaseContext } from './command.ts';
import { demoKeys, setDemoBudgets } from './demo-settings.ts';
import { EXIT, UserError } from './user-error.ts';

/** Where `serve --demo` keeps its file, unless --db says otherwise. */
export const DEMO_DATABASE = './spanledger-demo.db';

/** How to get into a demo. */
export interface DemoAccess {
  readonly email: string;
  /** A new one at every start. */
  readonly password: string;
  /** Made, and shown, at the first start only. */
  readonly apiKey: string | null;
}

const ORGANIZATION = 'Acme Software';
const PROJECT = 'assistant';
/** So that the last 30 days, which reports show, have 30 before them to be compared with. */
const DEMO_DAYS = 60;
/** Traffic that is older than this is carried on to now. */
const STALE_MS = 3_600_000;

/**
 * Makes the file a demo, or carries an existing demo on to now.
 * @throws {UserError} `not_a_demo` (5) when the file is somebody's own
 */
export const prepareDemo = async (ctx: BaseContext, app: App): Promise<DemoAccess> => {
  const [demo, { hasOwner, findOrganization }, { initLedger }, { findProject }] = await Promise.all([
    import('../src/features/demo/index.ts'),
    import('../src/core/orgs/index.ts'),
    import('../src/core/auth/index.ts'),
    import('../src/core/projects/index.ts'),
  ]);
  const { DEMO_EMAIL: email } = demo;
  const password = randomBytes(12).toString('base64url');
  const userId = await demo.findDemoUser(app.ctx);
  let apiKey: string | null = null;
  if (userId !== null) await demo.setDemoPassword(app.ctx, userId, password);
  else if (await hasOwner(app.ctx)) throw notADemo(app.ctx.db.path);
  else {
    const input = { org: ORGANIZATION, project: PROJECT, email, name: 'Demo', password };
    ({ apiKey } = await app.act(initLedger, input));
  }
  const project = await findProject(app.ctx, PROJECT);
  const { monthlyEvents } = await findOrganization(app.ctx, project.organizationId);
  const scope = {
    ...operatorScope(project),
    monthlyEvents,
  };
  const now = app.ctx.now();
  const newest = await demo.findNewestEvent(app.ctx, project.no);
  if (newest === null || now - newest > STALE_MS) {
    const days = newest === null ? DEMO_DAYS : Math.min(DEMO_DAYS, (now - newest) / 86_400_000);
    // Another seed each time, or the same ids would come again.
    const seed = newest === null ? 1 : Math.floor(now / 1000);
    const count = await demo.seedDemo(app.ctx, {
      scope,
      days,
      seed,
      keyOf: await demoKeys(app, project.id),
      onProgress: progress(ctx, newest === null),
    });
    ctx.output.success(`${count.toLocaleString('en-US')} made-up events recorded`);
    if (newest === null) await setDemoBudgets(app, project.organizationId, project.id);
  }
  return { email, password, apiKey };
};

const notADemo = (path: string): UserError =>
  new UserError({
    what: `${path} is not a demo file`,
    fix: 'Leave --db out, or name a file that does not exist yet',
    code: 'not_a_demo',
    exit: EXIT.conflict,
  });

/** A line for every fifth of the way. Ctrl-C ends the seeding, too. */
const progress = (ctx: BaseContext, first: boolean): ((done: number) => void) => {
  let said = 0;
  ctx.output.info(first ? 'Making up two months of traffic' : 'Carrying the traffic on to now');
  return (done) => {
    ctx.signal.throwIfAborted();
    const fifth = Math.floor(done * 5);
    if (fifth > said && fifth < 5) ctx.output.info(`${fifth * 20} %`);
    said = fifth;
  };
};
