/** A table of a mail. The first cell of a row is a name, the others are figures. */
export type MailTable = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly url?: string }[];
};

/** Text that is already safe: one line, and in HTML escaped. */
type Clean = (text: string) => string;

const MAX_NAME = 60;

/** Tables as lines of text in aligned columns; addresses are left to the HTML part. */
export function tablesText(tables: readonly MailTable[], clean: Clean): string[] {
  return tables.map(({ title, columns, rows }) => {
    const lines = [columns, ...rows.map(({ cells }) => cells)].map((cells) =>
      cells.map(clean).map(shortened),
    );
    const widths = columns.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)));
    const aligned = lines.map((cells) =>
      widths
        .map((width, at) => (at === 0 ? (cells[at] ?? '').padEnd(width) : (cells[at] ?? '').padStart(width)))
        .join('  ')
        .trimEnd(),
    );
    return [clean(title), ...aligned.filter((line) => line !== '')].join('\n');
  });
}

const shortened = (text: string, at: number): string =>
  at === 0 && text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;

const CELL = 'padding:4px 16px 4px 0;border-bottom:1px solid #ddd';

/** Tables as HTML, styled in place because mail programs drop style sheets. */
export function tablesHtml(tables: readonly MailTable[], clean: Clean): string[] {
  return tables.map(({ title, columns, rows }) => {
    const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
      `<tr>${cells
        .map((cell, at) => `<${tag} align="${at === 0 ? 'left' : 'right'}" style="${CELL}">${cell}</${tag}>`)
        .join('')}</tr>`;
    const body = rows.map(({ cells, url }) => {
      const [first = '', ...figures] = cells.map(clean);
      return row([url === undefined ? first : `<a href="${clean(url)}">${first}</a>`, ...figures], 'td');
    });
    return [
      `<h3>${clean(title)}</h3>`,
      `<table cellspacing="0">${row(columns.map(clean), 'th')}`,
      ...body,
      '</table>',
    ].join('\n');
  });
}
