import { describe, expect, test } from 'bun:test';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dir, '..');
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };
const transpilerOf = (path: string): Bun.Transpiler => transpilers[path.endsWith('.tsx') ? 'tsx' : 'ts'];

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Types included: a layer that only borrows a type from above depends on it all the same. */
  readonly imports: readonly string[];
  /** What is loaded when the program runs, without dynamic imports. */
  readonly loads: readonly string[];
}

const resolveFrom = (path: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;

const scan = (path: string, text: string): { all: string[]; eager: string[] } => {
  const found = transpilerOf(path).scanImports(text);
  return {
    all: found.map((one) => resolveFrom(path, one.path)),
    eager: found.filter((one) => one.kind !== 'dynamic-import').map((one) => resolveFrom(path, one.path)),
  };
};

/** scanImports leaves type-only imports out, so they are made ordinary ones first. */
const withTypesKept = (text: string): string =>
  text
    .replace(/^(?:import|export(?= (?:type )?[{*]))\s[^;'"]*?\bfrom\b/gm, (clause) =>
      clause.replace(/\btype\s+(?=[\w{*])/g, ''),
    )
    .replace(/\bimport\('([^']+)'\)\./g, "await import('$1').");

const readSource = async (path: string): Promise<SourceFile> => {
  const text = await Bun.file(join(root, path)).text();
  return { path, text, imports: scan(path, withTypesKept(text)).all, loads: scan(path, text).eager };
};

const files: SourceFile[] = await Promise.all(
  [...new Bun.Glob('{src,cli}/**/*.{ts,tsx}').scanSync(root)].sort().map(readSource),
);

/** Every file and import for which `forbidden` holds, as "file → import". */
const violations = (forbidden: (file: SourceFile, target: string) => boolean): string[] =>
  files.flatMap((file) =>
    file.imports.filter((target) => forbidden(file, target)).map((target) => `${file.path} → ${target}`),
  );

const isEmpty = (path: string, text: string): boolean => transpilerOf(path).transformSync(text).trim() === '';

const isLocal = (target: string): boolean => /^(src|cli|tests|migrations)\//.test(target);
const moduleOf = (path: string): string | undefined => path.match(/^src\/(?:core|features)\/[^/]+/)?.[0];
const isContract = (path: string): boolean => path.endsWith('/contract.ts');

/** Lowest first; a file imports its own layer and those below. */
const layers: readonly RegExp[] = [
  /^src\/lib\//,
  /^src\/(errors|config|settings|version)\.ts$/,
  /^src\/(db\/|http\/|context\.ts$|module\.ts$)/,
  /^src\/core\//,
  /^src\/features\//,
  /^src\/features\.ts$/,
  /^src\/(servers\/|[^/]+\.ts$)/,
  /^cli\//,
];
const beside = /^src\/(dashboard|sdk)\//;
const layerOf = (path: string): number => layers.findIndex((layer) => layer.test(path));

const isPage = (path: string): boolean => path.endsWith('.tsx');
const isForBrowsers = (name: string): boolean => !/^(bun|node:|drizzle|zod|hono)/.test(name);

/** What the dashboard's bundle holds: pages, the dashboard's own files, and those that they import from their module. */
const inBrowser = new Set<string>(
  files
    .map(({ path }) => path)
    .filter(
      (path) => isPage(path) || (path.startsWith('src/dashboard/') && path !== 'src/dashboard/build.ts'),
    ),
);
const isInBrowser = (path: string): boolean => inBrowser.has(path);
// A set visits what is added on the way.
for (const path of inBrowser)
  for (const target of files.find((file) => file.path === path)?.imports ?? [])
    if (moduleOf(target) !== undefined && moduleOf(target) === moduleOf(path) && !isContract(target))
      inBrowser.add(target);

const findCycle = (graph: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
};

describe('who may import whom', () => {
  test('the scan sees plain, type-only and dynamic imports', () => {
    const text = `import type { A } from './a.ts'; import { type B } from './b.ts';
      const c = await import('./c.ts'); export type { D } from './d.ts'; import { E } from '../e.ts';`;
    const lines = text.replaceAll('; ', ';\n').replace(/^ +/gm, '');
    const names = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'e.ts'];
    expect(scan('src/x.ts', withTypesKept(lines)).all.sort()).toEqual(names.sort());
    expect(scan('src/x.ts', lines).eager).toEqual(['e.ts']);
  });

  test('every file belongs to a layer', () => {
    expect(files.map(({ path }) => path).filter((path) => layerOf(path) < 0 && !beside.test(path))).toEqual(
      [],
    );
  });

  test('a layer imports only itself and the layers below', () => {
    expect(
      violations(
        ({ path }, target) => layerOf(target) > layerOf(path) && layerOf(path) >= 0 && !path.endsWith('.tsx'),
      ),
      'The order is in CONTRIBUTING.md, Layout; move what both need to the lower layer',
    ).toEqual([]);
  });

  test('a feature never imports another feature', () => {
    const isFeature = (path: string): boolean => path.startsWith('src/features/');
    expect(
      violations(
        ({ path }, target) => isFeature(path) && isFeature(target) && moduleOf(path) !== moduleOf(target),
      ),
      'Move what both features need to a module in src/core/',
    ).toEqual([]);
  });

  test('a module is imported from outside through index, table or contract only', () => {
    const open = /\/(index|table|contract)\.ts$|\.tsx$/;
    // What a thread runs; structure-threads.test.ts compares these lists with the manifests.
    const isThreadList = (path: string): boolean =>
      /^src\/(writes|event-reads|other-reads|works)\.ts$/.test(path);
    expect(
      violations(
        ({ path }, target) =>
          moduleOf(target) !== undefined &&
          moduleOf(path) !== moduleOf(target) &&
          !open.test(target) &&
          !isThreadList(path),
      ),
      'Export it from index.ts of the module that owns it',
    ).toEqual([]);
  });

  test('a page imports only pages, contracts, lib, dashboard and files of its module that do likewise', () => {
    expect(
      violations(
        ({ path }, target) =>
          isInBrowser(path) &&
          !(isLocal(target)
            ? isPage(target) ||
              isContract(target) ||
              target === 'src/http/endpoint.ts' ||
              /^src\/(lib|dashboard)\//.test(target) ||
              (moduleOf(target) === moduleOf(path) && isInBrowser(target))
            : isForBrowsers(target)),
      ),
      'A page gets data by an endpoint, and shares pure code through src/lib/',
    ).toEqual([]);
  });

  test('a page takes only types from contracts: zod asks for eval, which its policy forbids', () => {
    const loading = files.filter(
      ({ path, loads }) =>
        isInBrowser(path) && loads.some((target) => isContract(target) || target.startsWith('src/http/')),
    );
    expect(
      loading.map(({ path }) => path),
      'Write `import type`; constants that a page needs belong in a file of the module without zod',
    ).toEqual([]);
  });

  test('generic components know nothing of the product: neither its modules nor its pages and addresses', () => {
    expect(
      violations(
        ({ path }, target) =>
          path.startsWith('src/dashboard/ui/') &&
          (isLocal(target) ? !/^src\/(lib|dashboard\/ui)\//.test(target) : target.includes('router')),
      ),
    ).toEqual([]);
  });

  test('only the shell calls the API by path; pages name an endpoint, which gives the types', () => {
    expect(
      violations(
        ({ path }, target) =>
          target === 'src/dashboard/shell/request.ts' && !path.startsWith('src/dashboard/shell/'),
      ),
    ).toEqual([]);
  });

  test('a contract imports only lib, zod, contracts and the shape of endpoints', () => {
    expect(
      violations(
        ({ path }, target) =>
          isContract(path) &&
          target !== 'zod' &&
          target !== 'src/http/endpoint.ts' &&
          !isContract(target) &&
          !target.startsWith('src/lib/'),
      ),
      'Contracts are loaded by other contracts and by clients: move pure code to src/lib/',
    ).toEqual([]);
  });

  test('only guards say that a caller was checked, and no route speaks for the operator', () => {
    const guards = ['src/core/auth/sessions/', 'src/core/keys/queries.ts', 'src/core/tenancy/'];
    const checking = files.filter(({ text }) => /\bchecked(Project|Organization)\b/.test(text));
    expect(
      checking.map(({ path }) => path).filter((path) => !guards.some((guard) => path.startsWith(guard))),
    ).toEqual([]);
    const routes = files.filter(({ path }) => /routes\.ts$/.test(path));
    expect(
      routes.filter(({ text }) => /operator(Scope|Organization)/.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test('http knows no projects, keys, roles or members', () => {
    expect(
      violations(({ path }, target) => path.startsWith('src/http/') && /^src\/core\//.test(target)),
    ).toEqual([]);
    const knowing = files.filter(
      ({ path, text }) =>
        path.startsWith('src/http/') &&
        /projectId|organizationId|apiKey|'(owner|admin|member|viewer)'/.test(text),
    );
    expect(knowing.map(({ path }) => path)).toEqual([]);
  });

  test('the SDK depends on nothing but types of contracts and what it must do exactly as the server', () => {
    const shared = [
      'src/lib/sensitive-keys.ts',
      'src/lib/linked-event-id.ts',
      // A prompt is filled, and a version of a split chosen, in the application.
      'src/lib/prompts/fill-template.ts',
      'src/lib/prompts/choose-version.ts',
      'src/lib/prompts/parse-template.ts',
    ];
    // Guardrails are the same code in both, in an entry of their own.
    const isGuardrails = (path: string): boolean => /^src\/sdk\/guardrails[./]/.test(path);
    const isCheck = (target: string): boolean => /^src\/lib\/(guardrails|detect)\//.test(target);
    // So are simulations.
    const isSimulation = (path: string, target: string): boolean =>
      path === 'src/sdk/simulations.ts' && target.startsWith('src/lib/simulations/');
    const isSdk = (path: string): boolean => path.startsWith('src/sdk/');
    const mayLoad = (target: string, path: string): boolean =>
      isSdk(target) ||
      shared.includes(target) ||
      (isGuardrails(path) && isCheck(target)) ||
      isSimulation(path, target);
    const sdk = files.filter(({ path }) => isSdk(path));
    expect(sdk.flatMap(({ path, loads }) => loads.filter((target) => !mayLoad(target, path)))).toEqual([]);
    expect(
      violations(({ path }, target) => isSdk(path) && !mayLoad(target, path) && !isContract(target)),
    ).toEqual([]);
    const imports = files.filter(({ path }) => shared.includes(path)).flatMap(({ imports: own }) => own);
    expect(imports.filter((target) => !shared.includes(target))).toEqual([]);
  });

  test('src imports neither cli nor tests', () => {
    expect(
      violations(({ path }, target) => path.startsWith('src/') && /^(cli|tests)\//.test(target)),
    ).toEqual([]);
  });

  test('lib knows no domain and no dependency but zod; detectors use pure parsers of forms', () => {
    const parsers = /^(ipaddr\.js|libphonenumber-js\/min(?:\/metadata)?|re2js|validator\/es\/lib\/\w+\.js)$/;
    expect(
      violations(
        ({ path }, target) =>
          path.startsWith('src/lib/') &&
          !/^(src\/lib\/|zod$)/.test(target) &&
          !(path.startsWith('src/lib/detect/') && parsers.test(target)),
      ),
    ).toEqual([]);
  });

  test('config and its settings import only lib, errors and zod', () => {
    expect(
      violations(
        ({ path }, target) =>
          /^src\/(config|settings)\.ts$/.test(path) &&
          !/^(src\/lib\/|src\/(errors|settings)\.ts$|zod$)/.test(target),
      ),
    ).toEqual([]);
  });

  test('index.ts exists only as the surface of a module', () => {
    const indexes = files.filter(({ path }) => /\/index\.tsx?$/.test(path));
    expect(
      indexes
        .filter(({ path }) => !/^src\/((core|features)\/[^/]+|sdk)\/index\.ts$/.test(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('no other file only passes on what others export', () => {
    const reExport = /^export (type )?(\*|\{[^}]*\})( as \w+)? from '[^']+';$/m;
    const barrels = files.filter(
      ({ path, text }) =>
        !/\/index\.ts$/.test(path) &&
        reExport.test(text) &&
        isEmpty(path, text.replace(new RegExp(reExport, 'gm'), '')),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });
});

describe('cycles', () => {
  test('no file imports itself by way of others, types and dynamic imports included', () => {
    expect(
      findCycle(new Map(files.map(({ path, imports }) => [path, imports.filter(isLocal)]))),
    ).toBeUndefined();
  });

  test('no module imports itself by way of others', () => {
    const graph = new Map<string, string[]>();
    for (const { path, imports } of files) {
      const from = moduleOf(path);
      if (!from) continue;
      const targets = imports.map(moduleOf).filter((to): to is string => to !== undefined && to !== from);
      graph.set(from, [...(graph.get(from) ?? []), ...targets]);
    }
    expect(findCycle(graph)).toBeUndefined();
  });

  test('the search finds a cycle where there is one', () => {
    expect(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b', 'c', 'b']);
  });
});

describe('habits', () => {
  test('no file is longer than 400 lines', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(({ path, text }) => `${path} ${text.split('\n').length}`)).toEqual([]);
  });

  test('no folder holds more than 30 source files', () => {
    const folders = Map.groupBy(files, ({ path }) => dirname(path));
    const full = [...folders].filter(([, inside]) => inside.length > 30);
    expect(full.map(([folder, inside]) => `${folder} ${inside.length}`)).toEqual([]);
  });

  // The dashboard's build script only names the variable that the bundler fills in.
  const mayName = ['src/config.ts', 'src/dashboard/build.ts'];
  test('only config.ts and the SDK read the environment', () => {
    const readers = files.filter(({ path, text }) =>
      /\b(process|Bun|import\.meta)\.env\b/.test(transpilerOf(path).transformSync(text)),
    );
    expect(
      readers
        .map(({ path }) => path)
        .filter((path) => !mayName.includes(path) && !path.startsWith('src/sdk/')),
    ).toEqual([]);
  });

  test('only output.ts paints and draws tables', () => {
    expect(
      violations(({ path }, target) => ['chalk', 'cli-table3'].includes(target) && path !== 'cli/output.ts'),
    ).toEqual([]);
  });

  test('nothing is exported as default, and no enum is declared', () => {
    const offenders = files.filter(({ text }) => /^export default |^(export )?(const )?enum /m.test(text));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});
