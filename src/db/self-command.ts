/** How to start this program again: the binary itself, or bun with the entry file. */
export function selfCommand(): string[] {
  const compiled = import.meta.dir.startsWith('/$bunfs');
  return compiled ? [process.execPath] : [process.execPath, `${import.meta.dir}/../../cli/main.ts`];
}
