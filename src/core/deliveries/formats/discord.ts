import type { Message } from '../message.ts';
import { cut, filled, linkOf, type Sent } from './sent.ts';

const MAX = { title: 256, text: 3_000, fields: 10, label: 100, value: 150 };
const COLORS: Readonly<Record<Message['severity'], number>> = {
  critical: 0xc92a2a,
  warning: 0xe67700,
  info: 0x1971c2,
  resolved: 0x2b8a3e,
};

/** Disarms Markdown. */
const escaped = (text: string): string => text.replace(/[\\*_~`|>#\-[\]()<@:]/g, '\\$&');

/**
 * Body for a webhook of Discord: one embed, which may have 6,000 characters in all, and no mentions.
 * Source: docs.discord.com/developers/resources/webhook#execute-webhook
 */
export function toDiscord(sent: Sent): object {
  const { title, text, facts, severity } = sent.message;
  const link = linkOf(sent);
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: filled(cut(escaped(title), MAX.title)),
        description: filled(cut(escaped(text), MAX.text)),
        color: COLORS[severity],
        timestamp: new Date(sent.at).toISOString(),
        fields: facts.slice(0, MAX.fields).map(({ label, value }) => ({
          name: filled(cut(escaped(label), MAX.label)),
          value: filled(cut(escaped(value), MAX.value)),
          inline: true,
        })),
        ...(link !== null && { url: link.url }),
      },
    ],
  };
}
