/**
 * The binary. The server starts `__reader` for itself, a benchmark starts `__bench` and the command `sql` starts
 * `__sql`. They are dispatched before the command line is loaded, so that these processes use less memory.
 */
const main = async (): Promise<void> => {
  // New files (the database, its side files, the secret) are readable by their owner only.
  process.umask(0o077);
  if (process.argv[2] === '__reader') {
    const reader = await import('../src/reader-process.ts');
    reader.main(process.argv[3] ?? '');
    return;
  }
  if (process.argv[2] === '__bench') {
    const bench = await import('./bench/serve-bench.ts');
    await bench.main(process.argv[3] ?? '');
    return;
  }
  if (process.argv[2] === '__sql') {
    const engine = await import('./sql/engine.ts');
    engine.main();
    return;
  }
  const [{ runCli }, { commands }, { openTerminal }] = await Promise.all([
    import('./run.ts'),
    import('./commands.ts'),
    import('./terminal.ts'),
  ]);
  process.exit(await runCli(commands, openTerminal()));
};

/** By then a server has read what it needs of the files in the binary. */
const STARTED_MS = 1_000;

// A server's command does not end. Once this module has, Bun gives back the memory of the embedded files.
await Promise.race([main(), Bun.sleep(STARTED_MS)]);

export {};
