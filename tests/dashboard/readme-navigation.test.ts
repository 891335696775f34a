import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { NAVIGATION, SETTINGS } from '../../src/dashboard/shell/frame/navigation-entries.ts';

const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text();
const section = readme.slice(readme.indexOf('\n## Dashboard\n'), readme.indexOf('\n## API\n'));
/** The lines of groups, such as `- **Monitor**: overview, costs.` */
const lines = new Map(
  [...section.matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)].map(([, title = '', text = '']) => [title, text]),
);
/** The general page of each part of the settings has no word of its own. */
const GENERAL = ['General', 'Organization'];
const settings = SETTINGS.flatMap(({ entries }) => entries).filter(({ label }) => !GENERAL.includes(label));

test('the README lists the groups of the navigation in order, with each of their pages', () => {
  const groups = [...NAVIGATION, { title: 'Settings', entries: settings }];
  expect([...lines.keys()]).toEqual(groups.map(({ title }) => title));
  const missing = groups.flatMap(({ title, entries }) =>
    entries
      .map(({ label }) => label)
      .filter((label) => !(lines.get(title) ?? '').toLowerCase().includes(label.toLowerCase())),
  );
  expect(missing).toEqual([]);
});
