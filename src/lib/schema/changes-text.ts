type Changes = Readonly<Record<'added' | 'removed' | 'changed', readonly string[]>>;

/** What a schema has that the one before it had not, in words. */
export function changesText({ added, removed, changed }: Changes): string {
  const parts = [
    ['added', added],
    ['removed', removed],
    ['changed', changed],
  ] as const;
  const said = parts.flatMap(([verb, paths]) => (paths.length === 0 ? [] : [`${verb} ${paths.join(', ')}`]));
  return said.length === 0 ? 'First schema' : said.join('; ');
}
