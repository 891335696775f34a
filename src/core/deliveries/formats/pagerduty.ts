import type { Message } from '../message.ts';
import { cut, filled, linkOf, type Sent } from './sent.ts';

const MAX = { summary: 1_024, key: 255, value: 1_000 };
const SEVERITIES: Readonly<Record<Message['severity'], string>> = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
  resolved: 'info',
};

/**
 * Body for the Events API v2 of PagerDuty. Notifications about one subject share an incident, which a resolved one ends.
 * Source: developer.pagerduty.com/docs/events-api-v2
 */
export function toPagerDuty(sent: Sent, routingKey: string): object {
  const { title, text, facts, severity, subject } = sent.message;
  const link = linkOf(sent);
  return {
    routing_key: routingKey,
    event_action: severity === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: cut(subject, MAX.key),
    client: 'Spanledger',
    client_url: link?.url ?? sent.origin,
    payload: {
      summary: filled(cut(title, MAX.summary)),
      source: new URL(sent.origin).host,
      severity: SEVERITIES[severity],
      timestamp: new Date(sent.at).toISOString(),
      class: sent.type,
      custom_details: {
        text: cut(text, MAX.value),
        ...Object.fromEntries(facts.map(({ label, value }) => [label, cut(value, MAX.value)])),
      },
    },
    ...(link !== null && { links: [{ href: link.url, text: link.label }] }),
  };
}
