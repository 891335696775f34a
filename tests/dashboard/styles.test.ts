import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dir, '../..');
const read = (path: string): Promise<string> => Bun.file(join(root, path)).text();
const find = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync(root)].sort();

const sheets = find('src/**/*.css');
const modules = sheets.filter((path) => path.endsWith('.module.css'));

/** The names that a style module declares; `:global(.name)` is declared elsewhere. */
const declared = (text: string): Set<string> =>
  new Set(
    [
      ...text.replace(/:global\([^)]*\)|\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g),
    ].map(([, name = '']) => name),
  );

/** Which names of which style module the components ask for. */
async function used(): Promise<Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>(modules.map((path) => [path, new Set()]));
  for (const path of find('src/**/*.tsx')) {
    const text = await read(path);
    const [, from] = /^import css from '([^']+)';$/m.exec(text) ?? [];
    if (from === undefined) continue;
    const of = relative(root, join(root, dirname(path), from));
    for (const [, name = '', numbered] of text.matchAll(/\bcss(?:\.(\w+)|\[`(\w+)\$\{)/g))
      for (const one of numbered === undefined ? [name] : [...declared(await read(of))])
        if (numbered === undefined || one.startsWith(numbered)) names.get(of)?.add(one);
  }
  return names;
}

test('a component asks only for class names that its style module declares, and each is asked for', async () => {
  const asked = await used();
  for (const path of modules)
    expect({ path, names: [...(asked.get(path) ?? [])].sort() }).toEqual({
      path,
      names: [...declared(await read(path))].sort(),
    });
});

test('the style sheet of every library component that a page uses is loaded', async () => {
  const library = join(root, 'node_modules/@mantine/core/styles');
  const loaded = await read('src/dashboard/shell/styles.ts');
  const missing = new Set<string>();
  for (const path of find('src/**/*.tsx'))
    for (const [, names = ''] of (await read(path)).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',').map((one) => one.trim()))
        if (await Bun.file(join(library, `${name}.css`)).exists())
          if (!loaded.includes(`/${name}.css'`)) missing.add(name);
  expect([...missing]).toEqual([]);
});

test('only the shell has sheets whose names hold everywhere, and none is longer than 400 lines', async () => {
  // The documents stand alone: they are no part of the dashboard.
  const own = sheets.filter((path) => !modules.includes(path) && dirname(path) !== 'src/features/docs');
  expect(own.map(dirname)).toEqual(['base', 'layout', 'tables'].map(() => 'src/dashboard/shell'));
  for (const path of sheets)
    expect({ path, long: (await read(path)).split('\n').length > 401 }).toEqual({ path, long: false });
});
