const MOST = 8;

/** The first names of a list, for a message; ids of those that share a name. */
export const someNames = (rows: readonly { readonly id: string; readonly name: string }[]): string => {
  const isShared = (name: string): boolean => rows.filter((row) => row.name === name).length > 1;
  const shown = rows.slice(0, MOST).map(({ id, name }) => (isShared(name) ? `${id} (${name})` : name));
  return `${shown.join(', ')}${rows.length > MOST ? ' …' : ''}`;
};
