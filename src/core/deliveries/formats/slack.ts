import { cut, filled, linkOf, type Sent } from './sent.ts';

const MAX = { header: 150, text: 3_000, field: 2_000, fields: 10, button: 75 };

const plain = (text: string, max: number): object => ({
  type: 'plain_text',
  text: filled(cut(text, max)),
  emoji: false,
});

/**
 * Body for an incoming webhook of Slack (Block Kit). All texts are plain, so names cannot mention channels or people.
 * Source: docs.slack.dev/reference/block-kit/blocks
 */
export function toSlack(sent: Sent): object {
  const { title, text, facts } = sent.message;
  const link = linkOf(sent);
  const fields = facts
    .slice(0, MAX.fields)
    .map(({ label, value }) => plain(`${label}\n${filled(value)}`, MAX.field));
  return {
    // Shown in notifications; `&`, `<` and `>` are control characters there.
    text: cut(`${title}: ${text}`, MAX.text).replace(
      /[&<>]/g,
      (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '',
    ),
    blocks: [
      { type: 'header', text: plain(title, MAX.header) },
      { type: 'section', text: plain(text, MAX.text) },
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      ...(link === null
        ? []
        : [
            {
              type: 'actions',
              elements: [{ type: 'button', text: plain(link.label, MAX.button), url: link.url }],
            },
          ]),
    ],
  };
}
