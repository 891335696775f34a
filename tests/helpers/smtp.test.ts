import { expect, test } from 'bun:test';
import { decodeMail, tokenIn } from './smtp.ts';

test('a token in a plain part stays as it is, although it looks like an escape; other parts are decoded', () => {
  const raw = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="--_x"',
    '',
    '----_x',
    'Content-Transfer-Encoding: 7bit',
    '',
    'http://ledger.test/link#sign-up=3DabcDEF-1',
    '----_x',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<a href=3D"http://ledger.test/link#sign-up=3D3Dabc=',
    'DEF-1">Confirm</a>',
    '----_x--',
    '',
  ].join('\r\n');
  const text = decodeMail(raw);
  expect(tokenIn({ from: '', to: [], raw, text }, 'sign-up')).toBe('3DabcDEF-1');
  expect(text).toContain('<a href="http://ledger.test/link#sign-up=3DabcDEF-1">');
});
