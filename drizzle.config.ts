import { defineConfig } from 'drizzle-kit';

// The control plane's tables. Those of the event store are written by hand (WITHOUT ROWID, expression
// indexes) in custom migrations: `bunx drizzle-kit generate --custom --name <name>`.
export default defineConfig({
  dialect: 'turso',
  schema: ['./src/core/*/table.ts', './src/features/*/table.ts'],
  out: './migrations',
});
