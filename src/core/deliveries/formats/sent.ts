import type { Message } from '../message.ts';

/** A notification as the formats get it. */
export type Sent = {
  /** `msg_…`, the same for all attempts. */
  readonly messageId: string;
  readonly type: string;
  readonly data: object;
  readonly message: Message;
  /** When it was written, epoch milliseconds. */
  readonly at: number;
  /** Public address of the server, without a trailing slash. */
  readonly origin: string;
};

/** The dashboard page of a notification; null for none. */
export const linkOf = ({ message: { link }, origin }: Sent): { label: string; url: string } | null =>
  link === undefined ? null : { label: link.label, url: `${origin}${link.path}` };

/** At most `max` UTF-16 units, with an ellipsis where the text is cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The text, or a dash, because most formats refuse empty texts. */
export const filled = (text: string): string => (text.trim() === '' ? '–' : text);
