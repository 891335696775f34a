import type { Mail } from '../../mail/index.ts';
import { linkOf, type Sent } from './sent.ts';

/** A notification as a mail to several people. */
export function toMail(sent: Sent, to: readonly string[]): Mail {
  const { title, text, facts } = sent.message;
  const link = linkOf(sent);
  return {
    to,
    id: sent.messageId,
    subject: title,
    paragraphs: [
      text,
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      'You get this mail because a channel of your organization sends its notifications to this address.',
    ],
    ...(link !== null && { action: link }),
  };
}
