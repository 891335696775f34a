import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import Libsql from 'libsql';
import { migrations } from '../migrations/index.ts';
import { projectColumn } from '../src/db/owned-table.ts';
import { modules, tables } from '../src/features.ts';
import type { Module } from '../src/module.ts';

const root = join(import.meta.dir, '..');
const STORES = 'src/core/events/stores/';
/** What everything else belongs to: any module may join these, read only, through their `table.ts`. */
const JOINABLE = ['src/core/orgs', 'src/core/projects'];

/** `FILE names TABLE`, and why nothing better is possible. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/core/auth/oauth/join-identity.ts names invitations':
    'core/invitations builds on core/auth, so core/auth cannot ask it',
};

const files = [...new Bun.Glob('{src,cli}/**/*.{ts,tsx}').scanSync(root)].sort();
const textOf = (path: string): Promise<string> => Bun.file(join(root, path)).text();
const folderOf = (path: string): string | undefined => path.match(/^src\/(?:core|features)\/[^/]+/)?.[0];

/** The folder of a module: whose index exports it, or for one that a function makes, the one of its name. */
async function findFolders(): Promise<Map<Module, string>> {
  const found = new Map<Module, string>();
  for (const index of files.filter((path) => /^src\/(core|features)\/[^/]+\/index\.ts$/.test(path))) {
    const exported: Record<string, unknown> = await import(join(root, index));
    for (const module of modules) {
      if (Object.values(exported).includes(module)) found.set(module, dirname(index));
    }
  }
  for (const module of modules.filter((one) => !found.has(one))) {
    const folder = ['src/core', 'src/features'].map((layer) => `${layer}/${module.name}`);
    found.set(module, folder.find((path) => existsSync(join(root, path))) ?? `no folder of ${module.name}`);
  }
  return found;
}

const folders = await findFolders();
const ownerOf = new Map(
  modules.flatMap((module) =>
    (module.tables ?? []).map(({ name }) => [name, folders.get(module) ?? ''] as const),
  ),
);

/** The texts between quotes, without comments. Good enough: a quote in a regular expression may hide one. */
function stringsOf(text: string): string {
  const token =
    /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/.*|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g;
  return [...text.matchAll(token)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').join('\n');
}

/** Names of tables in SQL. A name of several words needs no keyword before it: it means nothing else. */
function namedIn(text: string): string[] {
  const strings = stringsOf(text);
  return [...ownerOf.keys()].filter((name) =>
    name.includes('_')
      ? new RegExp(`\\b${name}\\b`).test(strings)
      : new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:main\\.)?["\`]?${name}\\b`).test(strings),
  );
}

/** Whether a file may name a table: its module owns it; tables of events belong to the stores alone. */
function mayName(path: string, table: string): boolean {
  const owner = ownerOf.get(table) ?? '';
  return owner === 'src/core/events' ? path.startsWith(STORES) : path.startsWith(`${owner}/`);
}

type TableImport = { readonly names: readonly string[]; readonly from: string };
function tableImports(path: string, text: string): TableImport[] {
  const clause = /import (?:type )?\{([^}]*)\} from '([^']*\/table\.ts)'/g;
  return [...text.matchAll(clause)].map(([, names = '', from = '']) => ({
    names: names.split(',').map((name) => name.trim().replace(/^type |.* as /g, '')),
    from: dirname(normalize(join(dirname(path), from))),
  }));
}

const scanned = await Promise.all(files.map(async (path) => ({ path, text: await textOf(path) })));
const foreign = scanned
  .filter(({ path }) => !path.endsWith('/table.ts'))
  .flatMap(({ path, text }) =>
    tableImports(path, text)
      .filter(({ from }) => from !== folderOf(path))
      .map((one) => ({ path, text, ...one })),
  );

describe('who names a table', () => {
  test('in SQL only its owner does', () => {
    const offences = scanned.flatMap(({ path, text }) =>
      namedIn(text)
        .filter((table) => !mayName(path, table))
        .map((table) => `${path} names ${table}`),
    );
    expect(offences.filter((offence) => !(offence in EXCEPTIONS))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((exception) => !offences.includes(exception))).toEqual([]);
  });

  test("of another module's drizzle tables only those of organizations and projects are joined", () => {
    expect(
      foreign.filter(({ from }) => !JOINABLE.includes(from)).map(({ path, from }) => `${path} → ${from}`),
    ).toEqual([]);
  });

  test("nobody writes another module's tables", () => {
    const writes = foreign.flatMap(({ path, text, names }) =>
      names
        .filter((name) =>
          new RegExp(
            `\\.(?:insert|update|delete)\\(\\s*${name}\\b|(?:INTO|UPDATE|DELETE FROM) \\$\\{${name}\\}`,
          ).test(text),
        )
        .map((name) => `${path} writes ${name}`),
    );
    expect(writes).toEqual([]);
  });

  test('the scan sees SQL in every kind of string, and no comment', () => {
    const text = `const a = 'SELECT 1 FROM event_log'; // FROM users
      const b = \`JOIN prices p\`; /* INTO budgets */ const c = "quota_warnings"; const d = 'event_log';`;
    expect(namedIn(text).sort()).toEqual(['event_log', 'prices', 'quota_warnings']);
  });
});

describe('what manifests say of tables', () => {
  const database = new Libsql(':memory:');
  for (const { sql } of migrations) {
    for (const statement of sql.split('--> statement-breakpoint')) database.exec(statement);
  }
  const read = (sql: string): string[] => (database.prepare(sql).raw(true).all() as string[][]).flat();
  const columnsOf = (table: string): string[] => read(`SELECT name FROM pragma_table_info('${table}')`);

  test('each table of the database has one owner', () => {
    const there = read(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1",
    );
    const declared = tables.map(({ name }) => name).sort();
    const unowned = there.filter((name) => !declared.includes(name));
    expect(unowned, 'Declare these tables in `tables` of the manifest of one module').toEqual([]);
    const missing = declared.filter((name) => !there.includes(name));
    expect(missing, 'Define these tables in `table.ts`, then `bun run migrations NAME`').toEqual([]);
    expect(declared, 'A table has more than one owner').toEqual(there);
  });

  test('the migrations give each table the columns of its table.ts', async () => {
    for (const path of files.filter((file) => /^src\/(core|features)\/[^/]+\/table\.ts$/.test(file))) {
      for (const table of Object.values<unknown>(await import(join(root, path)))) {
        if (!is(table, SQLiteTable)) continue;
        const named = Object.values(getTableColumns(table)).map((column) => column.name);
        const migrated = columnsOf(getTableName(table));
        expect(migrated.sort(), `${path} has changed: \`bun run migrations NAME\``).toEqual(named.sort());
      }
    }
  });

  test('their columns are there, and their conditions are SQL', () => {
    for (const { name, by, alsoBy, key, retention, eraseUser } of tables) {
      const named = [by, alsoBy, ...key].filter((column) => column !== undefined);
      expect([name, ...columnsOf(name)]).toEqual(expect.arrayContaining([name, ...named]));
      if (retention !== undefined) database.prepare(`SELECT rowid, ${retention.ends} FROM ${name}`);
      if (eraseUser !== undefined && 'deleteWhere' in eraseUser)
        database.prepare(`DELETE FROM ${name} WHERE ${eraseUser.deleteWhere}`);
      if (eraseUser !== undefined && 'update' in eraseUser)
        database.prepare(`UPDATE ${name} SET ${eraseUser.update} WHERE ${eraseUser.where}`);
      if (eraseUser !== undefined && 'rename' in eraseUser)
        expect(columnsOf(name)).toContain(eraseUser.rename);
    }
  });

  test('a scope has its column', () => {
    const scoped = tables.filter(({ scope }) => scope !== 'none' && scope !== 'public');
    const unscoped = scoped.filter(({ by }) => by === undefined).map(({ name }) => name);
    expect(unscoped, 'Name the column of the owner as `by` in the manifest').toEqual([]);
    const readable = tables.filter(({ scope, readable }) => readable && scope === 'project');
    expect(
      readable.filter(({ by }) => by !== 'project').map(({ name }) => name),
      "A readable table holds the project's number in `project`; without `readable`, query it with ctx.db.sql",
    ).toEqual([]);
  });

  test('rows of a project hold its row: the purge removes it last, and fails while one refers to it', () => {
    const parentsOf = (table: string): string[] =>
      read(`SELECT "table" FROM pragma_foreign_key_list('${table}')`);
    const loose = tables.filter(
      (table) => projectColumn(table) !== null && !parentsOf(table.name).includes('projects'),
    );
    expect(
      loose.map(({ name }) => name),
      'Add a foreign key to projects, as saved_views has in src/core/views/table.ts',
    ).toEqual([]);
  });
});
