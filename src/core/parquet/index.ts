import type { ParquetColumn, ParquetFile } from './parquet-file.ts';

export type { ParquetCell, ParquetColumn, ParquetFile } from './parquet-file.ts';

/** Opens a Parquet file, see `createParquetFile`. The library is loaded with the first one. */
export async function openParquetFile<Row>(
  root: string,
  columns: readonly ParquetColumn<Row>[],
): Promise<ParquetFile<Row>> {
  const { createParquetFile } = await import('./parquet-file.ts');
  return createParquetFile(root, columns);
}
