import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { makeFolder } from './folder.ts';
import { measureRaw } from './measure-raw.ts';
import { RAW_TABLES, type RawTable } from './raw-rows.ts';

export const benchRaw = defineCommand({
  name: 'bench raw',
  summary: 'Measure the storage engine alone: one thread that inserts rows',
  options: {
    events: {
      value: 'N',
      summary: 'Rows to insert',
      type: z.coerce.number().int().min(1000),
      default: '200000',
    },
    table: {
      value: 'TABLE',
      summary: 'Rows in the order of arrival without an index, or with those that find an event again',
      type: z.enum(Object.keys(RAW_TABLES) as [RawTable, ...RawTable[]]),
      default: 'arrival',
    },
    dir: { value: 'DIR', summary: "Folder for the benchmark's file; the temporary folder by default" },
  },
  examples: ['spanledger bench raw', 'spanledger bench raw --table indexed --events 1000000 --dir /var/lib'],
  run: async (ctx) => {
    const folder = makeFolder(ctx.options.dir);
    try {
      const { events, table } = ctx.options;
      const raw = await measureRaw(folder.path, events, { table });
      ctx.output.result(raw, () => {
        ctx.output.line(`${Math.round(raw.rowsPerSecond).toLocaleString('en-US')} rows/s`);
        ctx.output.line(`${raw.cpuMicrosPerRow.toFixed(1)} µs of CPU per row`);
        ctx.output.line(`${Math.round(raw.bytesPerRow)} bytes per row`);
      });
    } finally {
      folder.remove();
    }
  },
});
