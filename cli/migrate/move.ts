import { resolve } from 'node:path';
import type { MoveProgress } from '../../src/move.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { EXIT, usageError, withFix } from '../user-error.ts';

export const move = defineCommand({
  name: 'move',
  summary: 'Move the events of a file to ClickHouse, while the server runs',
  options: {
    from: { value: 'PLACE', required: true, summary: 'Where the events are: file:PATH' },
    to: {
      value: 'PLACE',
      required: true,
      summary: 'Where they go: clickhouse://USER@HOST:PORT/DATABASE; the password is EVENTS_PASSWORD',
    },
    plan: { summary: 'Say what there is to move, and change nothing' },
    once: { summary: 'Copy once and end, also if the server still runs' },
    dropSource: { summary: 'Delete the events from the file when they are moved' },
  },
  examples: [
    'spanledger move --from file:ledger.db --to clickhouse://w@ch:8123/sl --plan',
    'spanledger move --from file:ledger.db --to clickhouse://w@ch:8123/sl',
  ],
  drains: true,
  run: async (ctx) => {
    const { options, output, signal } = ctx;
    const [from, to] = [placeOf(options.from), placeOf(options.to)];
    if (from.kind === to.kind)
      throw usageError(
        `Both places are ${from.kind === 'file' ? 'files' : 'ClickHouse databases'}`,
        'Move from a file to ClickHouse; copy a file with `spanledger backup`',
      );
    if (from.kind !== 'file' || to.kind !== 'clickhouse')
      throw usageError('Events move from a file to ClickHouse', 'Name the file with --from');
    const { values: config } = ctx.config({ EVENTS_URL: to.url });
    const { planMove, moveToClickhouse } = await import('../../src/move.ts');
    if (options.plan) {
      const plan = await refusedBy(() => planMove({ from: from.path, config }));
      output.result(plan, () => printPlan(ctx, plan, to.url));
      return EXIT.ok;
    }
    const onProgress = reportMove(ctx);
    const result = await refusedBy(() =>
      moveToClickhouse({
        ...{ from: from.path, config, signal, onProgress },
        once: options.once,
        drop: options.dropSource,
      }),
    );
    output.result({ ...result, from: from.path, to: to.url }, () => {
      const events = result.events.toLocaleString('en-US');
      if (result.state === 'copied')
        output.line(
          `Copied ${events} events. The server still writes to ${from.path}: run this again to finish.`,
        );
      else
        output.success(`Moved ${events} events; both places have the same sums per project, day and model`);
    });
    if (result.state === 'done') {
      output.info(`Start the server with EVENTS_URL=${to.url} and its password`);
      if (!options.dropSource)
        output.info(
          `${from.path} still has the events as they were: the same command with --drop-source deletes them`,
        );
    }
    return EXIT.ok;
  },
});

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
  return { kind: 'file', path: resolve(text.replace(/^file:/, '')) };
}

const refusedBy = <T>(work: () => Promise<T>): Promise<T> =>
  withFix('Check --to, the user in it, and EVENTS_PASSWORD or EVENTS_PASSWORD_FILE', work);

/** Events a second, for an estimate before anything was copied. */
const LIKELY_RATE = 8_000;

type Plan = Awaited<ReturnType<typeof import('../../src/move.ts')['planMove']>>;

function printPlan({ output }: BaseContext, plan: Plan, to: string): void {
  const number = (value: number): string => value.toLocaleString('en-US');
  output.line(
    `${number(plan.events)} events of ${number(plan.projects)} projects on ${number(plan.days)} days`,
  );
  if (plan.cutDays > 0)
    output.line(
      `${number(plan.cutDays)} days with calls whose events are deleted: their figures by hour, model, environment, status and error move; those by user, tag, key, agent and tool do not`,
    );
  const targets = {
    empty: 'is empty',
    begun: 'has a part of them: the move goes on',
    done: 'has them: the move is done',
  };
  output.line(`${to} ${targets[plan.target]}`);
  if (plan.target !== 'done')
    output.line(`It takes about ${durationText(plan.events / LIKELY_RATE)}, depending on both machines`);
  output.info(
    plan.isServed
      ? 'A server writes to the file. It may go on until the move has caught up; then it is stopped for the last step'
      : 'No server writes to the file: it is moved in one go',
  );
}

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`;

/** Time between two lines of progress. */
const REPORT_MS = 2_000;

function reportMove({ output }: BaseContext): (progress: MoveProgress) => void {
  const began = performance.now();
  let reported = began;
  const number = (value: number): string => value.toLocaleString('en-US');
  return (progress) => {
    if (progress.step === 'copy') {
      const now = performance.now();
      if (now - reported < REPORT_MS || progress.events === 0) return;
      reported = now;
      const left = ((now - began) / 1_000 / progress.events) * (progress.of - progress.events);
      output.info(
        `Copied ${number(progress.events)} of ${number(progress.of)} events, about ${durationText(left)} left`,
      );
      return;
    }
    if (progress.step === 'compare')
      return output.info(`Comparing the sums of ${number(progress.projects)} projects`);
    if (progress.blockedBy !== null)
      return output.info(
        `Caught up. ${progress.blockedBy} is not finished: let the server finish it, then stop the server`,
      );
    output.info(
      `Caught up; the last copy took ${durationText(progress.ms / 1_000)}. Stop the server now: this command notices, copies the rest and compares the sums`,
    );
  };
}
