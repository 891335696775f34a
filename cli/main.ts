/**
 * The binary. `__reader` is what the server starts for itself, `__bench` what a benchmark starts: they are
 * dispatched before the command line is loaded, so that such a process holds nothing that it does not need.
 */
const main = async (): Promise<void> => {
  // Everything that is written is for its owner only: the file, its side files, the secret.
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
  const [{ runCli }, { commands }, { openTerminal }] = await Promise.all([
    import('./run.ts'),
    import('./commands.ts'),
    import('./terminal.ts'),
  ]);
  process.exit(await runCli(commands, openTerminal()));
};

await main();

export {};
