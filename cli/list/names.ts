const MOST = 8;

/** The first names of a list, for a message. */
export const someNames = (rows: readonly { readonly name: string }[]): string =>
  `${rows
    .slice(0, MOST)
    .map(({ name }) => name)
    .join(', ')}${rows.length > MOST ? ' …' : ''}`;
