import type { StoredEvent } from '../../src/core/events/contract.ts';
import type { EventFile } from '../../src/features/events/index.ts';
import { defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { formatOfFile, writePieces } from '../write-file.ts';
import { filterOption, parseFilterOption } from './filter.ts';

const FORMAT_NAMES = ['csv', 'ndjson', 'parquet'] as const;

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
    const {
      output: file,
      format = formatOfFile(file, FORMAT_NAMES),
      environment,
      model,
      calls,
      ...given
    } = ctx.options;
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
        await writePieces(file, await server.download(exportEventsEndpoint, { query }));
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

/** Writes the pages to a file and returns the number of events. */
const writeEvents = async (
  path: string,
  file: EventFile,
  pages: AsyncIterable<readonly StoredEvent[]>,
): Promise<number> => {
  let count = 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for await (const events of pages) {
      yield await file.write(events);
      count += events.length;
    }
    yield await file.end();
  };
  await writePieces(path, pieces());
  return count;
};
