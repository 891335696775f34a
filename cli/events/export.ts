import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import type { EventFile } from '../../src/features/events/index.ts';
import { defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
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
    const [{ FORMATS }, { metricsWindow }, { eventPages }, { exportEventsEndpoint }] = await Promise.all([
      import('../../src/features/events/index.ts'),
      import('../../src/core/events/index.ts'),
      import('./pages.ts'),
      import('../../src/features/events/contract.ts'),
    ]);
    const window = metricsWindow(bounds, now);
    const events = await readOfProject<number | null>(ctx, given.project, {
      file: async (app, scope) =>
        writeEvents(
          file,
          await FORMATS[format].open(),
          eventPages(app, scope, { window, filters, calls, limit: PAGE }),
        ),
      server: async (server, { id: projectId }) => {
        const bounds = toQuery({ start: window.from, end: window.to - 1 });
        const kind = calls ? undefined : 'all';
        const query = { projectId, ...bounds, environment, model, filter: given.filter, kind, format };
        await writeStream(file, await server.download(exportEventsEndpoint, { query }));
        return null;
      },
    });
    ctx.output.result({ file, format, events }, () =>
      ctx.output.success(
        events === null
          ? `The events are in ${file}`
          : `${events.toLocaleString('en')} events are in ${file}`,
      ),
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

/** Writes what a server sends to a file. A reply that breaks off is an error, and leaves what had arrived. */
const writeStream = async (path: string, stream: ReadableStream<Uint8Array>): Promise<void> => {
  const fd = openForWriting(path);
  try {
    for await (const bytes of stream)
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent);
  } finally {
    closeSync(fd);
  }
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
