import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** Terms of this product's own, and the standard ones that pages, commands and documents use instead. */
const STANDARD = {
  'Taken for granted': 'Assumptions',
  'What does not apply': 'Not included',
  'Made with another model': 'Use model',
  'Names that begin so': 'Prefix',
  'Dollars a million': 'USD per 1M',
  'Own prices': 'Custom prices',
  'What clients are told': 'SDK settings',
  'Events that are sent, in percent': 'Sample rate',
  'Keys whose values are withheld': 'Redacted keys',
  'Keep events for, in days': 'Retention (days)',
  'Crossed levels': 'Threshold history',
  'Lasts until': 'Runs out',
  'Dearest first': 'Highest cost',
  'Getting worse': 'Rising groups',
  'Read differently than': 'Not what you expected?',
  'Give this link to whom': 'Share this link with',
  'As the system': 'System',
  'API description': 'API reference',
  'by the last 30 days': 'based on the last 30 days',
  'Make a key': 'Create key',
  'Make me the owner': 'Create owner account',
  'look every 5 s': 'refreshes every 5 s',
  'That did not work': 'the action that failed',
} as const;

test('pages, commands and documents use standard terms', async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob('{src,cli}/**/*.{tsx,ts,md,html}').scan(ROOT)) {
    const text = (await Bun.file(join(ROOT, path)).text()).replaceAll(/\s+/g, ' ');
    for (const [own, standard] of Object.entries(STANDARD))
      if (text.includes(own)) found.push(`${path}: "${own}" is "${standard}"`);
  }
  expect(found).toEqual([]);
});
