const MAX_LENGTH = 60;

/**
 * A name that somebody chose, for the text of a mail: in quotes, so that it does not pass for a sentence of the product;
 * at most 60 characters; without control and invisible characters; and without anything that mail programs turn into a
 * link or an address.
 * @example quoteName('Call +1 at https://evil.example') // '"Call +1 at https evil example"'
 */
export function quoteName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('"', "'")
    .replace(/:?\/{2,}|[\\@]|:(?=\S)|(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const signs = [...plain];
  return `"${signs.length > MAX_LENGTH ? `${signs.slice(0, MAX_LENGTH - 1).join('')}…` : plain}"`;
}

/**
 * A value of data, such as an id or a model, for a table of a mail. It reads as it is, but invisible marks keep mail
 * programs from turning parts of it into links.
 */
export const plainValue = (value: string): string =>
  value.replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})|:(?=\/)/gu, (sign) => `${sign}\u2060`);
