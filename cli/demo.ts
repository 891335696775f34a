import { randomBytes } from 'node:crypto';
import type { App } from '../src/app.ts';
import { extendScope, ofProject, operatorScope } from '../src/core/tenancy/index.ts';
import { createDemoAlerts } from './alerts/demo.ts';
import type { BaseContext } from './command.ts';
import { createDemoDashboard } from './dashboards/demo.ts';
import { createDemoReport, createDemoTokens, demoKeys, setDemoBudgets } from './demo-settings.ts';
import { createDemoScores } from './evaluators/demo.ts';
import { createDemoExperiments } from './experiments/demo.ts';
import { createDemoGuardrails } from './guardrails/demo.ts';
import { openDemoIncidents } from './incidents/demo.ts';
import { createDemoPrompts } from './prompts/demo.ts';
import { createDemoSimulations } from './simulations/demo.ts';
import { createDemoStatements } from './statements/demo.ts';
import { EXIT, UserError } from './user-error.ts';

/** The file of `serve --demo`, unless --db is given. */
export const DEMO_DATABASE = './spanledger-demo.db';

/** Credentials of a demo. */
export interface DemoAccess {
  readonly email: string;
  /** New at every start. */
  readonly password: string;
  /** Created and shown only at the first start. */
  readonly apiKey: string | null;
}

const ORGANIZATION = 'Acme Software';
const PROJECT = 'assistant';
/** Reports show the last 30 days and compare them with the 30 days before. */
const DEMO_DAYS = 60;
/** Traffic older than this is extended up to now. */
const STALE_MS = 3_600_000;

/**
 * Makes the file a demo, or extends an existing demo up to now.
 * @throws {UserError} `not_a_demo` (5) when the file has an owner's own data
 */
export const prepareDemo = async (ctx: BaseContext, app: App): Promise<DemoAccess> => {
  const [demo, { eventsOf }, { hasOwner, findOrganization }, { initLedger }, { findProject }] =
    await Promise.all([
      import('../src/features/demo/index.ts'),
      import('../src/core/events/index.ts'),
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
  const { monthlyEvents, monthlyBytes } = await findOrganization(app.ctx, project.organizationId);
  const scope = extendScope(operatorScope(project), { monthlyEvents, monthlyBytes });
  const now = app.ctx.now();
  const { newest } = await eventsOf(app.ctx).span(ofProject(scope));
  if (newest === null || now - newest > STALE_MS) {
    const days = newest === null ? DEMO_DAYS : Math.min(DEMO_DAYS, (now - newest) / 86_400_000);
    // A new seed for each extension; the same seed would repeat the ids.
    const seed = newest === null ? 1 : Math.floor(now / 1000);
    const count = await demo.seedDemo(app.ctx, {
      scope,
      days,
      seed,
      keyOf: await demoKeys(app, project.id),
      onProgress: progress(ctx, newest === null),
    });
    ctx.output.success(`${count.toLocaleString('en-US')} demo events recorded`);
    if (newest === null) {
      // What a demo is made of is no news.
      const { level } = app.ctx.log;
      if (level === 'info') app.ctx.log.level = 'warn';
      await setDemoBudgets(app, project.organizationId, project.id);
      await createDemoTokens(app, project.organizationId, project.id);
      await createDemoStatements(app, project.organizationId);
      const demoUser = await demo.findDemoUser(app.ctx);
      if (demoUser !== null) {
        await createDemoReport(app, project.organizationId, demoUser);
        await openDemoIncidents(app, project, { userId: demoUser, email });
        await createDemoAlerts(app, project, { kind: 'user', userId: demoUser, email });
        await createDemoPrompts(app, project, { userId: demoUser, email });
        await createDemoScores(app, project, { kind: 'user', userId: demoUser, email });
        await createDemoExperiments(app, project, { kind: 'user', userId: demoUser, email });
        await createDemoGuardrails(app, project, { kind: 'user', userId: demoUser, email });
        await createDemoDashboard(app, project, { kind: 'user', userId: demoUser, email });
        await createDemoSimulations(app, project, { kind: 'user', userId: demoUser, email });
      }
      app.ctx.log.level = level;
    }
  }
  return { email, password, apiKey };
};

const notADemo = (path: string): UserError =>
  new UserError({
    what: `${path} is not a demo file`,
    fix: 'Omit --db, or name a file that does not exist yet',
    code: 'not_a_demo',
    exit: EXIT.conflict,
  });

/** Prints a line for every 20 %. Ctrl-C stops the seeding. */
const progress = (ctx: BaseContext, first: boolean): ((done: number) => void) => {
  let said = 0;
  ctx.output.info(first ? 'Generating two months of traffic' : 'Extending the traffic up to now');
  return (done) => {
    ctx.signal.throwIfAborted();
    const fifth = Math.floor(done * 5);
    if (fifth > said && fifth < 5) ctx.output.info(`${fifth * 20} %`);
    said = fifth;
  };
};
