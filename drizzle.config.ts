import { defineConfig } from 'drizzle-kit';

// The control plane's tables. Those of the event store are written by hand (WITHOUT ROWID, expression
// indexes) in custom migrations: `bun run migrations NAME --custom`.
export default defineConfig({
  dialect: 'turso',
  schema: ['./src/core/*/table.ts', './src/features/*/table.ts'],
  out: './migrations',
});
