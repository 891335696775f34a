import type { App } from '../src/app.ts';
import { shellWord } from '../src/lib/text/shell-word.ts';
import { versionInfo } from '../src/version.ts';
import type { BaseContext } from './command.ts';
import type { DemoAccess } from './demo.ts';
import type { Cell } from './format.ts';
import type { Column } from './output.ts';

/** What a server prints when it is ready. */
export interface Ready {
  /** Address for browsers and clients. */
  readonly url: string;
  readonly database: string;
  /** Names of the migrations that this start applied. */
  readonly migrated: readonly string[];
  /** Present while the file has no owner. */
  readonly setup: Setup | undefined;
  readonly demo: DemoAccess | undefined;
}

interface Setup {
  readonly url: string;
  readonly expiresAt: string;
}

/** A one-time link for the first owner; undefined when there is an owner. */
export const setupOf = async (app: App, url: string): Promise<Setup | undefined> => {
  const { createSetupToken } = await import('../src/core/auth/index.ts');
  const made = await createSetupToken(app.ctx);
  // The token is in the fragment, which browsers do not send: no log or referrer contains it.
  return made ? { url: `${url}/setup#token=${made.token}`, expiresAt: made.expiresAt } : undefined;
};

type Line = readonly [label: string, text: Cell];

const columns: readonly Column<Line>[] = [
  { header: '', value: ([label]) => ({ text: label, tone: 'dim' }), fixed: true },
  { header: '', value: ([, text]) => text, fixed: true },
];

/** With --json, prints one line, so that a script can wait for it. */
export const printReady = ({ output }: BaseContext, ready: Ready): void => {
  const { version } = versionInfo();
  const { url, database, migrated, setup, demo } = ready;
  if (output.json) {
    const doc = { ready: true, version, url, database, migrated, setup, demo };
    output.raw(`${JSON.stringify(doc)}\n`);
    return;
  }
  const migrations = migrated.length === 0 ? 'up to date' : `${migrated.length} applied`;
  output.heading(`spanledger ${version} is ready`);
  const lines: Line[] = [
    ['URL', { text: url, tone: 'accent' }],
    ['File', { text: database }],
    ['Migrations', { text: migrations }],
  ];
  if (demo) {
    lines.push(['Sign in', { text: `${demo.email}  ${demo.password}` }]);
    if (demo.apiKey) lines.push(['API key', { text: demo.apiKey }]);
  }
  output.table(columns, lines);
  if (setup) {
    output.raw('\n');
    output.line('This file has no owner yet. Open this link within 30 minutes; it works once:');
    output.raw(`  ${setup.url}\n`);
    output.line('Or create the owner in another terminal:');
    output.raw(`  spanledger init --db ${shellWord(database)}\n`);
  } else if (demo && !demo.apiKey) {
    output.info(
      `To get an API key: spanledger keys create -p assistant --name mine --db ${shellWord(database)}`,
    );
  }
};
