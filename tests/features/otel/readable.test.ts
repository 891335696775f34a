import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageText } from '../../../src/lib/messages/message-text.ts';
import { readMessages } from '../../../src/lib/messages/read-messages.ts';
import { readBytes } from './otlp.ts';
import { readRecording } from './replay.ts';

const clients = readdirSync(join(import.meta.dir, 'recordings'))
  .filter((name) => name.endsWith('.ndjson'))
  .map((name) => name.replace('.ndjson', ''));
const ROLES = ['system', 'user', 'assistant', 'tool'];

test.each(clients)('%s: calls are read as messages, and nothing that was said is lost', (client) => {
  const events = readRecording(client).flatMap((request) =>
    readBytes(new TextEncoder().encode(JSON.stringify(request)), 'json', true),
  );
  for (const { kind, input, output } of events) {
    for (const [value, role] of [
      [input, 'user'],
      [output, 'assistant'],
    ] as const) {
      const messages = readMessages(value, role);
      const sentinels = (text: string): number => text.split('SENTINEL').length;
      expect(sentinels(messages.map(messageText).join('\n'))).toBe(sentinels(JSON.stringify(value ?? '')));
      if (kind !== 'llm') continue;
      for (const { role: speaker, parts } of messages) {
        expect(ROLES).toContain(speaker);
        expect(parts.filter((part) => part.kind === 'data')).toEqual([]);
      }
    }
  }
});
