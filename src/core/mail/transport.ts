import type { ComposedMail } from './compose.ts';

const PATIENCE_MS = 15_000;

/**
 * Sends over SMTP (`smtp://` with STARTTLS if the server supports it, `smtps://` with TLS from the start). The library is
 * loaded with the first mail. Rejects with nodemailer's error.
 */
export function createTransport(url: string, from: string): (mail: ComposedMail) => Promise<void> {
  let loading: Promise<{ sendMail(mail: object): Promise<unknown> }> | null = null;
  const load = async () => {
    const { createTransport: open } = (await import('nodemailer')).default;
    return open(
      {
        url,
        connectionTimeout: PATIENCE_MS,
        greetingTimeout: PATIENCE_MS,
        socketTimeout: PATIENCE_MS,
        // A mail is only text: it must not include files or fetched addresses.
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
  };
  const domain = from.replace(/^.*@|>$/g, '');
  return async ({ to, id, ...mail }) => {
    loading ??= load();
    const messageId = id === undefined ? {} : { messageId: `<${id}@${domain}>` };
    const recipients = to.map((address) => ({ name: '', address }));
    await (await loading).sendMail({ ...mail, ...messageId, to: recipients });
  };
}
