import type { Work } from '../../../http/work/work.ts';
import { LiveProject } from './live-project.ts';
import type { Given, Want } from './want.ts';

/** Judges the alerts of one project, round by round; it never ends by itself. It yields often, because others wait. */
export const judgeWork: Work<null, Want, Given> = {
  name: 'alerts.judge',
  *run() {
    const project = new LiveProject();
    // What begins a generator is not seen.
    let given = yield { kind: 'pause' };
    for (;;) {
      if (given.kind === 'round') given = yield { kind: 'done', outcome: yield* project.round(given.input) };
      else given = yield { kind: 'pause' };
    }
  },
};
