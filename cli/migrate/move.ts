import { realPath } from '../../src/db/file/real-path.ts';
import { countText } from '../../src/lib/figures.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { EXIT, type ExitCode, usageError, withFix } from '../user-error.ts';
import { estimateText, printMoved, printPlan, reportMove, whoWrites } from './report-move.ts';
import { untilStopped } from './until-stopped.ts';

export const move = defineCommand({
  name: 'move',
  summary: 'Move events from a file to ClickHouse or back, while the server runs',
  options: {
    from: { value: 'PLACE', required: true, summary: 'Where the events are: file:PATH, or clickhouse://…' },
    to: {
      value: 'PLACE',
      required: true,
      summary:
        'Where they go: clickhouse://USER@HOST:PORT/DATABASE (its password is EVENTS_PASSWORD), or file:NEW_PATH',
    },
    plan: { summary: 'Say what there is to move, and change nothing' },
    once: { summary: 'Copy once and end, also if the server still runs' },
    dropSource: { summary: 'Delete the events from the file when they are moved' },
  },
  examples: [
    'spanledger move --from file:ledger.db --to clickhouse://w@ch:8123/sl --plan',
    'spanledger move --from file:ledger.db --to clickhouse://w@ch:8123/sl',
    'spanledger move --from clickhouse://w@ch:8123/sl --to file:b.db --db a.db',
  ],
  drains: true,
  run: async (ctx) => {
    const [from, to] = [placeOf(ctx.options.from), placeOf(ctx.options.to)];
    if (from.kind === 'file' && to.kind === 'clickhouse') return moveToClickhouse(ctx, from.path, to.url);
    if (from.kind === 'clickhouse' && to.kind === 'file') return moveToFile(ctx, from.url, to.path);
    throw usageError(
      `Both places are ${from.kind === 'file' ? 'files' : 'ClickHouse databases'}`,
      'Move from a file to ClickHouse or back; copy a file with `spanledger backup`',
    );
  },
});

type MoveContext = BaseContext & {
  readonly options: { readonly plan: boolean; readonly once: boolean; readonly dropSource: boolean };
};

async function moveToClickhouse(ctx: MoveContext, path: string, url: string): Promise<ExitCode> {
  const { options, output, signal } = ctx;
  const { values: config } = ctx.config({ EVENTS_URL: url });
  const product = await import('../../src/move.ts');
  if (options.plan) {
    const plan = await refusedBy(() => product.planMove({ from: path, config }));
    output.result(plan, () => printPlan(ctx, plan, url));
    return EXIT.ok;
  }
  const move = { from: path, config, once: options.once, drop: options.dropSource, signal };
  const result = await untilStopped(ctx, () =>
    refusedBy(() => product.moveToClickhouse({ ...move, onProgress: reportMove(ctx) })),
  );
  if (result === null) return EXIT.interrupted;
  output.result({ ...result, from: path, to: url }, () => printMoved(ctx, result));
  if (result.state !== 'done') return EXIT.ok;
  output.info(`Start the server with EVENTS_URL=${url} and its password`);
  if (!options.dropSource)
    output.info(
      `${path} still has the events as they were: the same command with --drop-source deletes them`,
    );
  return EXIT.ok;
}

/** @param path the new file */
async function moveToFile(ctx: MoveContext, url: string, path: string): Promise<ExitCode> {
  const { output, options, signal } = ctx;
  if (options.dropSource)
    throw usageError('--drop-source is for events in a file', 'Drop the ClickHouse database yourself');
  const { values: config } = ctx.config({ EVENTS_URL: url });
  const { planMoveBack, moveBack } = await import('../../src/move-back.ts');
  if (options.plan) {
    const plan = await refusedBy(() => planMoveBack({ config, to: path }));
    output.result(plan, () => {
      output.line(`${countText(plan.events, 'event')} of ${countText(plan.projects, 'project')}`);
      output.line(`It takes about ${estimateText(plan.events)}, depending on both machines`);
      output.info(whoWrites(plan.isServed));
    });
    return EXIT.ok;
  }
  const onProgress = reportMove(ctx);
  const result = await untilStopped(ctx, () =>
    refusedBy(() => moveBack({ config, to: path, once: options.once, signal, onProgress })),
  );
  if (result === null) return EXIT.interrupted;
  output.result({ ...result, from: url, to: path }, () => printMoved(ctx, result));
  if (result.state === 'done')
    output.info(
      `Start the server with --db ${shellWord(path)}, without EVENTS_URL. ClickHouse keeps its events`,
    );
  return EXIT.ok;
}

type PlaceOption =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'clickhouse'; readonly url: string };

function placeOf(text: string): PlaceOption {
  if (/^clickhouses?:/.test(text)) return { kind: 'clickhouse', url: text };
  if (/^[a-z]+:\/\//.test(text))
    throw usageError(
      `${text} is neither a file nor ClickHouse`,
      'Write file:PATH, or clickhouse://USER@HOST:PORT/DATABASE',
    );
  return { kind: 'file', path: realPath(text.replace(/^file:/, '')) };
}

const refusedBy = <T>(work: () => Promise<T>): Promise<T> =>
  withFix('Check the address, the user in it, and EVENTS_PASSWORD or EVENTS_PASSWORD_FILE', work);
