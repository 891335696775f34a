// Every page in both themes and three widths, a sheet of six pictures each: `bun run screenshots:pages [WORD …]`.
// With words, only the pages whose name has one of them. They lie in dist/screenshots, which git ignores.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PAGES } from '../../src/dashboard/shell/scope/search.ts';
import { seedEveryPage } from './every-page.ts';
import { openWorld, type Window } from './world.ts';

const FOLDER = join(import.meta.dir, '../../dist/screenshots');
const SIZES = [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const;
const DAYS = 40;
/** Pixels of the sheet for each of the page. */
const SCALE = 0.55;

const words = process.argv.slice(2);
const world = await openWorld({ rateLimits: false, env: { OPERATORS: 'ada@example.com' } });

async function shoot({ page, go }: Window, path: string, prepare: Picture['prepare']): Promise<Buffer[]> {
  await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] });
  await go(path);
  await prepare?.(page);
  const pictures: Buffer[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.mouse.move(0, 0);
      // Charts and virtual lists follow a resize a moment later.
      await Bun.sleep(400);
      pictures.push(await page.screenshot());
    }
  }
  return pictures;
}

/** One picture of all of them, made by the browser. */
async function toSheet(sheet: Page, pictures: readonly Buffer[]): Promise<Buffer> {
  const images = pictures.map((bytes, place) => {
    const width = (SIZES[place % SIZES.length]?.[0] ?? 0) * SCALE;
    return `<img style="width:${width}px" src="data:image/png;base64,${bytes.toString('base64')}">`;
  });
  const rows = [images.slice(0, SIZES.length), images.slice(SIZES.length)];
  await sheet.setContent(
    `<body style="margin:0;background:#888">${rows.map((row) => `<div style="display:flex;gap:8px;margin-bottom:8px">${row.join('')}</div>`).join('')}`,
  );
  await sheet.waitForFunction('[...document.images].every((one) => one.complete)');
  return sheet.screenshot({ fullPage: true });
}

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
};

async function picturesOf(): Promise<Picture[]> {
  const made = await seedEveryPage(world);
  const { projectId } = world.app.seed;
  const of = (project: string, page: string): string => `/projects/${project}/${page}`;
  const listed = Object.keys(PAGES)
    .filter((page) => !page.includes('$'))
    .map((page) => ({ name: page, path: of(projectId, page) }));
  const empty = Object.keys(PAGES)
    .filter((page) => !page.includes('$'))
    .map((page) => ({ name: `empty-${page}`, path: of(made.emptyProjectId, page) }));
  return [
    ...listed,
    ...made.pages.map(({ name, path }) => ({ name, path: of(projectId, path) })),
    { name: 'account', path: '/account' },
    { name: 'account-security', path: '/account/security' },
    { name: 'system', path: '/system' },
    { name: 'not-found', path: of(projectId, 'nothing') },
    { name: 'no-project', path: of('prj_0', 'overview') },
    { name: 'docs', path: '/docs' },
    { name: 'docs-events', path: '/docs/events' },
    { name: 'docs-opentelemetry', path: '/docs/opentelemetry' },
    ...empty,
  ];
}

try {
  mkdirSync(FOLDER, { recursive: true });
  await world.seedDays(DAYS);
  const window = await world.open();
  const sheet = await window.page.context().newPage();
  await sheet.setViewportSize({ width: 1600, height: 1000 });
  for (const { name, path, prepare } of await picturesOf()) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const pictures = await shoot(window, path, prepare);
    const file = `${name.replaceAll('/', '-')}.png`;
    await Bun.write(join(FOLDER, file), await toSheet(sheet, pictures));
    console.info(file, ...window.complaints.splice(0));
  }
} finally {
  await world.close();
}
