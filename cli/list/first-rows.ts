type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null };

/** Reads pages until there are more than `limit` rows; the row after the last one shows that there are more. */
export const firstRows = async <Row>(
  limit: number,
  read: (cursor: string | null) => Promise<Page<Row>>,
): Promise<Row[]> => {
  const found: Row[] = [];
  for (let cursor: string | null = null, more = true; more && found.length <= limit; ) {
    const page = await read(cursor);
    found.push(...page.rows);
    cursor = page.nextCursor;
    more = cursor !== null;
  }
  return found;
};
