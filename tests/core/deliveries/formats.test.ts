import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { toDiscord } from '../../../src/core/deliveries/formats/discord.ts';
import { toPagerDuty } from '../../../src/core/deliveries/formats/pagerduty.ts';
import type { Sent } from '../../../src/core/deliveries/formats/sent.ts';
import { toSlack } from '../../../src/core/deliveries/formats/slack.ts';
import { toTeams } from '../../../src/core/deliveries/formats/teams.ts';
import { delayAfter } from '../../../src/core/deliveries/worker/schedule.ts';
import { MESSAGE } from './world.ts';

/* The schemas are those of the documentation that each format names. */

const plainText = (max: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().trim().min(1).max(max),
    emoji: z.boolean().optional(),
  });
const slack = z.strictObject({
  text: z.string().max(40_000),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal('header'), text: plainText(150) }),
        z.strictObject({ type: z.literal('section'), text: plainText(3_000) }),
        z.strictObject({ type: z.literal('section'), fields: z.array(plainText(2_000)).min(1).max(10) }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({ type: z.literal('button'), text: plainText(75), url: z.url().max(3_000) }),
            )
            .min(1)
            .max(25),
        }),
      ]),
    )
    .max(50),
});
const discord = z.strictObject({
  allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
  embeds: z
    .array(
      z
        .strictObject({
          title: z.string().min(1).max(256),
          description: z.string().min(1).max(4_096),
          url: z.url().optional(),
          color: z.int().min(0).max(0xffffff),
          timestamp: z.iso.datetime(),
          fields: z
            .array(
              z.strictObject({
                name: z.string().min(1).max(256),
                value: z.string().min(1).max(1_024),
                inline: z.boolean(),
              }),
            )
            .max(25),
        })
        .refine(
          ({ title, description, fields }) =>
            title.length +
              description.length +
              fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0) <=
            6_000,
        ),
    )
    .max(10),
});
const teams = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.enum(['1.2', '1.3', '1.4']),
          body: z.array(
            z.union([
              z.strictObject({
                type: z.literal('TextBlock'),
                text: z.string().min(1),
                wrap: z.boolean(),
                size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
                weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
                color: z
                  .enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'])
                  .optional(),
              }),
              z.strictObject({
                type: z.literal('FactSet'),
                facts: z.array(z.strictObject({ title: z.string().min(1), value: z.string().min(1) })).min(1),
              }),
            ]),
          ),
          actions: z
            .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }))
            .optional(),
        }),
      }),
    )
    .length(1),
});
const pagerDuty = z.strictObject({
  routing_key: z.string().length(32),
  event_action: z.enum(['trigger', 'acknowledge', 'resolve']),
  dedup_key: z.string().min(1).max(255),
  client: z.string(),
  client_url: z.url(),
  payload: z.strictObject({
    summary: z.string().min(1).max(1_024),
    source: z.string().min(1),
    severity: z.enum(['critical', 'warning', 'error', 'info']),
    timestamp: z.iso.datetime(),
    class: z.string(),
    custom_details: z.record(z.string(), z.string()),
  }),
  links: z.array(z.strictObject({ href: z.url(), text: z.string() })).optional(),
});

const KEY = 'a'.repeat(32);
const sentOf = (message: Sent['message']): Sent => ({
  messageId: 'msg_1',
  type: 'alert.fired',
  data: {},
  message,
  at: Date.UTC(2026, 5, 15),
  origin: 'https://ledger.example.com',
});
const text = fc.oneof(
  fc.string({ maxLength: 60, unit: 'binary' }),
  fc.string({ minLength: 3_000, maxLength: 9_000, unit: 'grapheme', size: 'max' }),
  fc.constantFrom('', '   ', '<!channel>', '@everyone **x** [a](javascript:1)', '🙂'.repeat(3_000)),
);
const message: fc.Arbitrary<Sent['message']> = fc.record(
  {
    title: text,
    text,
    facts: fc.array(fc.record({ label: text, value: text }), { maxLength: 30 }),
    severity: fc.constantFrom('critical', 'warning', 'info', 'resolved'),
    subject: fc.string({ minLength: 1, maxLength: 400 }),
    link: fc.constant({ label: 'Open', path: '/projects/p/alerts' }),
  },
  { requiredKeys: ['title', 'text', 'facts', 'severity', 'subject'] },
);

describe('formats', () => {
  test('of any message keep to the documented schemas and limits', () => {
    fc.assert(
      fc.property(message, (one) => {
        const sent = sentOf(one);
        slack.parse(toSlack(sent));
        discord.parse(toDiscord(sent));
        pagerDuty.parse(toPagerDuty(sent, KEY));
        teams.parse(toTeams(sent));
        expect(Buffer.byteLength(JSON.stringify(toTeams(sent)))).toBeLessThan(28_000);
      }),
      { numRuns: 60 },
    );
  });

  test('of a usual message say what happened, with a link', () => {
    const sent = sentOf(MESSAGE);
    for (const body of [toSlack(sent), toDiscord(sent), toTeams(sent), toPagerDuty(sent, KEY)]) {
      const json = JSON.stringify(body);
      expect(json).toContain('Errors are up');
      expect(json).toContain('https://ledger.example.com/projects/p/alerts/alr_1');
    }
    expect(Buffer.byteLength(JSON.stringify(toTeams(sent)))).toBeLessThan(28_000);
  });

  test('in Slack and Discord mention nobody', () => {
    const sent = sentOf({
      ...MESSAGE,
      title: '<!channel> @everyone',
      text: '<@U1> <https://evil.example|x>',
    });
    expect(slack.parse(toSlack(sent)).text).toBe(
      '&lt;!channel&gt; @everyone: &lt;@U1&gt; &lt;https://evil.example|x&gt;',
    );
    expect(discord.parse(toDiscord(sent)).allowed_mentions.parse).toEqual([]);
    expect(discord.parse(toDiscord(sent)).embeds[0]?.title).toBe('\\<!channel\\> \\@everyone');
  });

  test('of PagerDuty resolve what they triggered', () => {
    const triggered = pagerDuty.parse(toPagerDuty(sentOf(MESSAGE), KEY));
    const resolved = pagerDuty.parse(toPagerDuty(sentOf({ ...MESSAGE, severity: 'resolved' }), KEY));
    expect([triggered.event_action, resolved.event_action]).toEqual(['trigger', 'resolve']);
    expect(resolved.dedup_key).toBe(triggered.dedup_key);
  });
});

test('the schedule has ten attempts, varies by a tenth and respects Retry-After up to an hour', () => {
  const delays = Array.from({ length: 10 }, (_, i) => delayAfter(i + 1, 0.5));
  expect(delays.at(-1)).toBeNull();
  expect(delays.slice(0, 3)).toEqual([5_000, 300_000, 1_800_000]);
  expect([delayAfter(1, 0), delayAfter(1, 1)]).toEqual([4_500, 5_500]);
  expect([delayAfter(1, 0.5, 60_000), delayAfter(1, 0.5, 10 ** 9)]).toEqual([60_000, 3_600_000]);
});
