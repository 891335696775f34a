import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { composeMail } from '../../../src/core/mail/compose.ts';
import { createMailQueue } from '../../../src/core/mail/index.ts';
import { createTransport } from '../../../src/core/mail/transport.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openSmtp, SMTP_SECRET, type TestSmtp } from '../../helpers/smtp.ts';

let smtp: TestSmtp;
beforeEach(async () => {
  smtp = await openSmtp();
});
afterEach(() => smtp.close());

const FROM = 'Ledger <ledger@example.com>';
const mail = (to: string) => ({ to, subject: 'Hello', paragraphs: ['One.', 'Two.'] });
const open = (url = smtp.url, retryAfterMs: readonly number[] = [1, 1]) => {
  const lost: { reason: string; tries: number }[] = [];
  const deliver = createTransport(url, FROM);
  const queue = createMailQueue({ deliver, onLost: (failure) => lost.push(failure), retryAfterMs });
  return { queue, lost };
};

describe('the mail queue', () => {
  test('sends in the background, from MAIL_FROM, as text and HTML', async () => {
    const { queue, lost } = open();
    queue.send({ ...mail('ada@example.com'), action: { label: 'Go', url: 'https://x.test/link#a=b' } });
    expect(smtp.mails).toEqual([]);
    await queue.idle();
    const [got] = smtp.mails;
    expect(got).toMatchObject({ from: 'ledger@example.com', to: ['ada@example.com'] });
    expect(got?.raw).toMatch(
      /^From: Ledger <ledger@example.com>\r\nTo: ada@example.com\r\nSubject: Hello\r\n/,
    );
    expect(got?.text).toContain('Content-Type: text/plain');
    expect(got?.text).toContain('<a href="https://x.test/link#a=b">Go</a>');
    expect(lost).toEqual([]);
  });

  test('tries again what may pass, and keeps the others going', async () => {
    const { queue, lost } = open();
    smtp.refuse(451, 451);
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) queue.send(mail(to));
    await queue.idle();
    expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
    expect(lost).toEqual([]);
  });

  test('gives up after the last try, and at once what is refused for good', async () => {
    const { queue, lost } = open();
    smtp.refuse(451, 451, 451);
    queue.send(mail('a@example.com'));
    await queue.idle();
    smtp.refuse(550);
    queue.send(mail('a@example.com'));
    await queue.idle();
    expect(smtp.mails).toEqual([]);
    expect(lost).toEqual([
      { reason: 'EMESSAGE 451', tries: 3 },
      { reason: 'EMESSAGE 550', tries: 1 },
    ]);
  });

  test('tells nothing of a failure but its codes', async () => {
    const { queue, lost } = open(`smtp://mailer:${SMTP_SECRET}@127.0.0.1:1`);
    queue.send({ ...mail('ada@example.com'), action: { label: 'Go', url: 'https://x.test/link#canary' } });
    await queue.idle();
    expect(lost).toEqual([{ reason: 'ESOCKET', tries: 3 }]);
  });

  test('closing sends what waits and takes nothing more', async () => {
    const { queue, lost } = open(smtp.url, [60_000]);
    smtp.refuse(451);
    queue.send(mail('a@example.com'));
    queue.send(mail('b@example.com'));
    await eventually('the second mail', () => smtp.mails.length > 0);
    await queue.close(1_000);
    queue.send(mail('c@example.com'));
    expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(['a@example.com', 'b@example.com']);
    expect(lost).toEqual([{ reason: 'the server is shutting down', tries: 0 }]);
  });
});

describe('what somebody typed', () => {
  const evil = '<img src=x onerror="alert(1)">\r\nBcc: eve@example.com\r\n\r\n<script>&\u2028\u202e';

  test('is neither a header nor markup', async () => {
    const { queue } = open();
    queue.send({
      to: 'ada@example.com',
      subject: evil,
      paragraphs: [evil],
      action: { label: evil, url: evil },
    });
    await queue.idle();
    const [got] = smtp.mails;
    expect(got?.to).toEqual(['ada@example.com']);
    const [headers = ''] = got?.raw.split('\r\n\r\n') ?? [];
    expect(headers).not.toMatch(/^Bcc:/im);
    expect(got?.text.slice(got.text.indexOf('text/html'))).not.toMatch(/<(img|script)/);
  });

  test('is escaped in HTML and stays on its line in text', () => {
    const { text, html, subject } = composeMail({ to: 'a@b.cd', subject: evil, paragraphs: [evil, 'Two.'] });
    expect(html).toContain(
      '<p>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Bcc: eve@example.com &lt;script&gt;&amp;</p>',
    );
    expect(text).toBe('<img src=x onerror="alert(1)"> Bcc: eve@example.com <script>&\n\nTwo.\n');
    expect(subject).not.toMatch(/\p{Cc}/u);
  });

  test('an address is one address', async () => {
    const { queue } = open();
    queue.send(mail('ada@example.com\r\nRCPT TO:<eve@example.com>'));
    queue.send(mail('ada@example.com, eve@example.com'));
    await queue.idle();
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });
});
