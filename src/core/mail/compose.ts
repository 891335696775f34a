import { type MailTable, tablesHtml, tablesText } from './tables.ts';

/** A mail of the product: plain sentences, at most one link, and tables after the first sentence. */
export type Mail = {
  /** One address, or several that see each other. */
  readonly to: string | readonly string[];
  /** Identifies the mail, so that mail programs show a repeated one once. */
  readonly id?: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly tables?: readonly MailTable[];
  readonly action?: { readonly label: string; readonly url: string };
};

/** The parts of a mail, escaped so that user input cannot become markup or a header. */
export type ComposedMail = {
  to: readonly string[];
  id?: string;
  subject: string;
  text: string;
  html: string;
};

const MAX_SUBJECT = 200;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Replaces control characters, including line breaks, and bidirectional marks by blanks. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** Writes a mail as plain text and as HTML. */
export function composeMail({ to, id, subject, paragraphs, tables = [], action }: Mail): ComposedMail {
  const lines = paragraphs.map(oneLine);
  const text = [
    ...lines.slice(0, 1),
    ...(action === undefined ? [] : [action.url]),
    ...tablesText(tables, oneLine),
    ...lines.slice(1),
  ];
  const link =
    action === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p>`,
          `<p>${escapeHtml(action.url)}</p>`,
        ];
  const [first = '', ...others] = lines.map((line) => `<p>${escapeHtml(line)}</p>`);
  return {
    to: [to].flat().map(oneLine),
    ...(id !== undefined && { id }),
    subject: oneLine(subject).slice(0, MAX_SUBJECT),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${[first, ...link, ...tablesHtml(tables, (cell) => escapeHtml(oneLine(cell))), ...others].join('\n')}\n</body></html>\n`,
  };
}
