import type { Ctx, Service } from '../../../context.ts';
import { createShare } from '../../../http/share.ts';
import type { Work } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import type { SuiteBody } from '../contract.ts';
import { type WrittenSuite, writtenSuite } from './suite-text.ts';

type Given = Pick<SuiteBody, 'suite' | 'source'>;

/** Reads a suite away from the thread that serves HTTP: a megabyte of YAML and its patterns take a second. */
export const readSuiteWork: Work<Given, WrittenSuite> = {
  name: 'simulations.read',
  *run(given) {
    yield writtenSuite(given);
  },
};

export const readShare: Service<FairGate> = {
  name: 'simulations.suites',
  open: () => createShare('suites', { running: { total: 2, each: 1 }, waiting: { total: 60, each: 20 } }),
};

/** What `writtenSuite` says. Throws AppError 400 that names the place; 429 or 503 if too many wait. */
export const readElsewhere = (
  ctx: Ctx,
  organizationId: string,
  { suite, source }: Given,
): Promise<WrittenSuite> =>
  ctx.use(readShare).run(organizationId, async () => {
    const running = ctx.workers.start(readSuiteWork, { suite, source });
    try {
      const written = await running.next();
      if (written === undefined) throw new Error('the reading ended without a suite');
      return written;
    } finally {
      running.stop();
    }
  });
