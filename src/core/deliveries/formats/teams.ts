import type { Message } from '../message.ts';
import { cut, filled, linkOf, type Sent } from './sent.ts';

const MAX = { title: 300, text: 1_500, facts: 10, label: 60, value: 200, button: 75 };
const COLORS: Readonly<Record<Message['severity'], string>> = {
  critical: 'Attention',
  warning: 'Warning',
  info: 'Accent',
  resolved: 'Good',
};

/** Disarms the Markdown of text blocks. */
const escaped = (text: string): string => text.replace(/[\\*_[\]()#\-`]/g, '\\$&');

/**
 * Body for a webhook of a Teams workflow: a message with one adaptive card, below the limit of 28 kB.
 * Source: adaptivecards.io/explorer, version 1.4
 */
export function toTeams(sent: Sent): object {
  const { title, text, facts, severity } = sent.message;
  const link = linkOf(sent);
  const block = (of: string, max: number, more: object = {}): object => ({
    type: 'TextBlock',
    text: filled(cut(escaped(of), max)),
    wrap: true,
    ...more,
  });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(title, MAX.title, { size: 'Medium', weight: 'Bolder', color: COLORS[severity] }),
      block(text, MAX.text),
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'FactSet',
              facts: facts.slice(0, MAX.facts).map(({ label, value }) => ({
                title: filled(cut(label, MAX.label)),
                value: filled(cut(escaped(value), MAX.value)),
              })),
            },
          ]),
    ],
    ...(link !== null && {
      actions: [{ type: 'Action.OpenUrl', title: cut(link.label, MAX.button), url: link.url }],
    }),
  };
  return {
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
    ],
  };
}
