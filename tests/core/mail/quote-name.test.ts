import { expect, test } from 'bun:test';
import { quoteName } from '../../../src/core/mail/index.ts';

test.each([
  ['Acme Inc.', '"Acme Inc."'],
  ['Müller & Söhne', '"Müller & Söhne"'],
  ['Say "hi"', `"Say 'hi'"`],
  ['Pay at https://evil.example/x?y', '"Pay at https evil example/x?y"'],
  ['Team: a/b', '"Team: a/b"'],
  ['www.evil.example', '"www evil example"'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', '"evil example"'],
  ['mail grace@example.com', '"mail grace example com"'],
  ['\\\\evil\\share', '"evil share"'],
  ['a\r\nBcc: b\u0000\u202e\u200bc', '"a Bcc: b c"'],
  ['   ', '""'],
] as const)('%j in a mail is %j', (name, quoted) => {
  expect(quoteName(name)).toBe(quoted);
});

test('a long name is cut to 60 characters, never inside one', () => {
  expect(quoteName('😀'.repeat(200))).toBe(`"${'😀'.repeat(59)}…"`);
  expect(quoteName('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
});
