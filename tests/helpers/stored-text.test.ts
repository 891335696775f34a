import { afterAll, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { openFolder } from './folder.ts';
import { randomBelow } from './random.ts';
import { tablesWithText } from './stored-text.ts';

const folder = openFolder();
afterAll(() => folder.remove());

test('finds a text in values, in bytes and in frames at any offset, among others and in each other', () => {
  const random = randomBelow();
  const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => random(256)));
  const zstd = (text: string | Buffer): Buffer => Buffer.from(Bun.zstdCompressSync(text, { level: 3 }));
  const long = `${'a'.repeat(300_000)}${noise(200_000).toString('hex')}`;
  const tables: Record<string, string | number | null | Buffer> = {
    a_text: 'to ada lovelace, with love',
    b_bytes: Buffer.concat([noise(50), Buffer.from('ada lovelace'), noise(50)]),
    c_frame: zstd(`${'b'.repeat(90)}ada lovelace${'b'.repeat(90)}`),
    d_between: Buffer.concat([
      noise(7),
      zstd('z'.repeat(99)),
      noise(5),
      zstd(`${long}ada lovelace${long}`),
      noise(9),
    ]),
    e_nested: zstd(Buffer.concat([noise(5), zstd(`${'b'.repeat(90)}ada lovelace`)])),
    f_no_frame: Buffer.concat([
      noise(5),
      zstd('z'.repeat(99)).subarray(0, 9),
      zstd('ada lovelace'.repeat(99)),
    ]),
    g_nothing: zstd(long),
    h_null: null,
    i_number: 7,
  };
  const path = folder.path('texts.db');
  const db = new Libsql(path);
  for (const [name, value] of Object.entries(tables)) {
    db.exec(`CREATE TABLE ${name} (value)`);
    db.prepare(`INSERT INTO ${name} VALUES (?)`).run([value]);
  }
  db.close();
  expect(tablesWithText(path, 'ada lovelace')).toEqual([
    'a_text',
    'b_bytes',
    'c_frame',
    'd_between',
    'e_nested',
    'f_no_frame',
  ]);
});
