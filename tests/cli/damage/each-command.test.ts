import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { renumberFile } from '../../../src/db/file/file-number.ts';
import { queryFile } from '../../helpers/stored-events.ts';
import { openLedger } from '../ledger.ts';
import { commandLines } from './words.ts';

let ledger: Awaited<ReturnType<typeof openLedger>>;
let whole: string;
let lines: string[][];
beforeAll(async () => {
  ledger = await openLedger();
  whole = join(ledger.dir, 'whole.db');
  expect((await ledger.run(['backup', whole])).code).toBe(0);
  const folder = join(ledger.dir, 'inputs');
  mkdirSync(folder);
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  write('greeting.prompt.json', { name: 'greeting', template: 'Hello' });
  const condition = { kind: 'threshold', operator: 'gt', critical: 1 };
  lines = commandLines({
    folder,
    alert: write('alert.json', { name: 'a', measure: 'errors', window: '5m', condition }),
    rule: write('rule.json', { name: 'r', evaluatorId: 'x', sampleRate: 0.1 }),
    guardrail: write('guardrail.json', {
      name: 'g',
      checks: [{ kind: 'pii', config: {}, action: 'redact' }],
    }),
    invoice: write('invoice.csv', 'date,model,cost_usd\n2026-06-01,gpt-4o,1.5\n'),
    items: write('items.jsonl', { input: 'Yes!' }),
  });
});
afterAll(() => ledger.remove());

const PAGE = 4096;

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const rootOf = (path: string, table: string): number =>
  Number(queryFile(path, `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`)[0]?.[0]);

/** A page that the root of the schema refers to. */
function schemaPage(path: string): number {
  const first = readFileSync(path).subarray(0, PAGE);
  // An interior page of a table: its cells begin with the number of a child.
  expect(first[100]).toBe(5);
  return first.readUInt32BE(first.readUInt16BE(112));
}

const flipped = (path: string, at: number, length: number): void => {
  const bytes = readFileSync(path).subarray(at, at + length);
  overwrite(
    path,
    at,
    bytes.map((byte) => byte ^ 0xff),
  );
};

/** A log that another ledger left when it was killed. */
function foreignLog(path: string): void {
  const other = join(ledger.dir, 'other.db');
  copyFileSync(whole, other);
  renumberFile(other);
  const connection = new Libsql(other);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE grown (x)');
  copyFileSync(`${other}-wal`, `${path}-wal`);
  connection.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${other}${end}`, { force: true });
}

const HARMS: Readonly<Record<string, (path: string) => void>> = {
  'is not a database': (path) => writeFileSync(path, 'no database '.repeat(1_000)),
  'is empty': (path) => truncateSync(path),
  'was cut in half': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2 / PAGE) * PAGE),
  'lost its last bytes': (path) => truncateSync(path, readFileSync(path).length - 1_000),
  'ends in its header': (path) => truncateSync(path, 60),
  'has zeros for its first page': (path) => overwrite(path, 0, new Uint8Array(PAGE)),
  'has a flipped header': (path) => flipped(path, 16, 8),
  'has zeros in its schema': (path) => overwrite(path, (schemaPage(path) - 1) * PAGE, new Uint8Array(PAGE)),
  'has a flipped page in its schema': (path) => flipped(path, (schemaPage(path) - 1) * PAGE, PAGE),
  'has zeros for the list of its migrations': (path) =>
    overwrite(path, (rootOf(path, 'migrations') - 1) * PAGE, new Uint8Array(PAGE)),
  'has the log of another file': foreignLog,
  'is of a later version': (path) => {
    const connection = new Libsql(path);
    connection.exec("INSERT INTO migrations SELECT '9999_later', hash, applied_at FROM migrations LIMIT 1");
    connection.close();
  },
  'was made by another program': (path) => {
    rmSync(path);
    const connection = new Libsql(path);
    connection.exec('CREATE TABLE notes (x)');
    connection.close();
  },
};

for (const [name, harm] of Object.entries(HARMS))
  test(`a file that ${name}: every command ends with 6 and a next step, and changes nothing`, async () => {
    const dir = join(ledger.dir, crypto.randomUUID());
    mkdirSync(dir);
    const path = join(dir, 'ledger.db');
    copyFileSync(whole, path);
    harm(path);
    const bytes = readFileSync(path);
    const content = (): string[] => readdirSync(dir).filter((file) => !/\.lock$|-shm$/.test(file));
    const files = content();
    const wrong: unknown[] = [];
    for (const line of lines) {
      const { code, stderr, stdout } = await ledger.run(line, { env: { DATABASE_URL: `file:${path}` } });
      const said = `${stdout}${stderr}`;
      if (code !== 6 || !said.includes('fix:')) wrong.push([line.join(' '), code, said.slice(0, 300)]);
      if (!readFileSync(path).equals(bytes)) wrong.push([line.join(' '), 'changed the file']);
      if (content().join() !== files.join()) wrong.push([line.join(' '), content().join()]);
    }
    expect(wrong).toEqual([]);
    const to = join(dir, 'restored.db');
    const restored = await ledger.run(['restore', path, '--db', to]);
    expect([restored.code, restored.stderr]).toEqual([6, expect.stringContaining('fix:')]);
    expect(existsSync(to)).toBe(false);
  });
