import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';

/** A mail as it came over the wire. */
export type ReceivedMail = {
  readonly from: string;
  readonly to: string[];
  readonly raw: string;
  readonly text: string;
};

export type TestSmtp = {
  /** With a user and a password that stand for secrets. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Rejects the next mails with these codes before it accepts any. */
  refuse(...codes: number[]): void;
  /** Waits for the next mail to an address and removes it from `mails`. */
  next(to: string): Promise<ReceivedMail>;
  close(): Promise<void>;
};

export const SMTP_SECRET = 'canary-smtp-password';

/** A mail server on loopback. */
export async function openSmtp(): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = refusals.shift();
        if (code !== undefined) return done(Object.assign(new Error('refused'), { responseCode: code }));
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw, text: decodeMail(raw) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://mailer:${SMTP_SECRET}@127.0.0.1:${port}`,
    mails,
    refuse: (...codes) => void refusals.push(...codes),
    next: async (to) => {
      const placeOf = (): number => mails.findIndex((mail) => mail.to.includes(to));
      await eventually(`a mail to ${to}`, () => placeOf() >= 0);
      return mails.splice(placeOf(), 1)[0] as ReceivedMail;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const QUOTED = /^Content-Transfer-Encoding: quoted-printable\r$/im;

/** Decodes the quoted-printable parts of a mail, so that a link can be found in them; in others `=3D` means itself. */
export const decodeMail = (raw: string): string =>
  raw
    .split(/(?<=\r\n)(?=--)/)
    .map((part) => (QUOTED.test(part) ? decodeQuoted(part) : part))
    .join('');

const decodeQuoted = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

/** The token of a link of a mail: `tokenIn(mail, 'reset')`, or of the page of its own, 'invite'. */
export function tokenIn({ text }: ReceivedMail, kind: string): string {
  const path = kind === 'invite' ? '/invite#token' : `/link#${kind}`;
  const found = new RegExp(`${path}=([\\w-]+)`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${kind} link in ${text}`);
  return found;
}
