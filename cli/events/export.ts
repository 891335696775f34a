import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import type { EventFile } from '../../src/features/events/index.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, windowOptions } from '../window.ts';
import { filterOption, parseFilterOption } from './filter.ts';

const FORMAT_NAMES = ['csv', 'ndjson', 'parquet'] as const;
type Format = (typeof FORMAT_NAMES)[number];

/** Events read at a time. */
const PAGE = 500;

const options = {
  output: {
    value: 'FILE',
    summary: 'File to write; its ending (.csv, .ndjson, .parquet) is the format',
    short: 'o',
    required: true,
  },
  format: { value: 'FORMAT', summary: 'Format, whatever the ending', choices: FORMAT_NAMES },
  ...projectOption,
  ...windowOptions,
  environment: { value: 'NAME', summary: 'Only events of this environment' },
  model: { value: 'NAME', summary: 'Only events of this model' },
  ...filterOption,
  calls: { summary: 'Only calls, without other spans' },
} as const;

export const eventsExport = defineCommand({
  name: 'events export',
  summary: 'Write the events of a time window to a file: CSV, NDJSON or Parquet',
  options,
  examples: [
    'spanledger events export -o events.parquet',
    'spanledger events export -p assistant --start 7d --calls -o calls.csv',
  ],
  run: async (ctx) => {
    const { output: file, format = formatOf(file), environment, model, calls, ...given } = ctx.options;
    const filters = { environment, model, where: parseFilterOption(given.filter) };
    const now = Date.now();
    const bounds = parseWindow(given, now);
    const [{ FORMATS }, { metricsWindow }, { ofProject, operatorScope }, { eventPages }] = await Promise.all([
      import('../../src/features/events/index.ts'),
      import('../../src/core/events/index.ts'),
      import('../../src/core/tenancy/index.ts'),
      import('./pages.ts'),
    ]);
    const query = { window: metricsWindow(bounds, now), filters, calls, limit: PAGE };
    const events = await withApp(ctx, async ({ ctx: app }) => {
      const scope = ofProject(operatorScope(await chooseProject(app, given.project)));
      return writeEvents(file, await FORMATS[format].open(), eventPages(app, scope, query));
    });
    ctx.output.result({ file, format, events }, () =>
      ctx.output.success(`${events.toLocaleString('en')} events are in ${file}`),
    );
  },
});

const formatOf = (file: string): Format => {
  const format = FORMAT_NAMES.find((name) => extname(file).toLowerCase() === `.${name}`);
  if (format !== undefined) return format;
  throw usageError(
    `The ending of ${file} is no format`,
    'End the file with .csv, .ndjson or .parquet, or add --format',
  );
};

/** Writes the pages to a file and returns the number of events. */
const writeEvents = async (
  path: string,
  file: EventFile,
  pages: AsyncIterable<readonly StoredEvent[]>,
): Promise<number> => {
  const fd = openForWriting(path);
  const write = (bytes: Uint8Array): void => {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent);
  };
  let count = 0;
  try {
    for await (const events of pages) {
      write(await file.write(events));
      count += events.length;
    }
    write(await file.end());
  } finally {
    closeSync(fd);
  }
  return count;
};

const openForWriting = (path: string): number => {
  try {
    return openSync(path, 'w');
  } catch {
    throw usageError(`Cannot write ${path}`, 'Pass --output the path of a file in a folder that exists');
  }
};
