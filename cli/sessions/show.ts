import { z } from 'zod';
import type { SessionReply } from '../../src/features/sessions/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { knownCost, money, number } from '../format.ts';
import { columnsThatFit } from '../list/columns.ts';
import { span } from '../moment.ts';
import type { Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { compact, duration, tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';
import { traceColumns } from '../traces/list.ts';

export const sessionsShow = defineCommand({
  name: 'sessions show',
  summary: 'Show a session: its figures and its traces in order',
  args: { session: { summary: 'Id of the session', type: z.string().min(1).max(500) } },
  options: projectOption,
  examples: ['spanledger sessions show chat-8431', 'spanledger sessions show chat-8431 --json'],
  run: async (ctx) => {
    const { session: sessionId } = ctx.args;
    const [{ readSession }, { getSessionEndpoint }] = await Promise.all([
      import('../../src/features/sessions/index.ts'),
      import('../../src/features/sessions/contract.ts'),
    ]);
    const doc = await readOfProject<SessionReply>(ctx, ctx.options.project, {
      file: async (app, scope) => (await readSession(app, scope, sessionId)).parse(),
      server: (server, { id: projectId }) =>
        server.get(getSessionEndpoint, { params: { sessionId }, query: { projectId } }),
    });
    ctx.output.result(doc, () => print(ctx.output, doc));
  },
});

const print = (output: Output, { session, traces, truncated }: SessionReply): void => {
  output.line(
    tinted(`Session ${session.session_id}`, 'bold'),
    tinted(`· ${span(Date.parse(session.start), Date.parse(session.end))}`, 'dim'),
  );
  output.raw('\n');
  const unpriced = session.unpriced > 0 ? `${countText(session.unpriced, 'call')} without a price` : '';
  facts(output, [
    { label: 'User', value: { text: session.user_id ?? '–' } },
    { label: 'Calls', value: number(session.llm_calls), note: `${number(session.errors).text} errors` },
    {
      label: 'Cost',
      value: knownCost(money(session.cost_usd), { unpriced: session.unpriced, calls: session.llm_calls }),
      note: unpriced,
    },
    { label: 'Tokens', value: compact(session.input_tokens + session.output_tokens) },
    { label: 'Length', value: duration(session.duration_ms) },
  ]);
  section(output, 'Traces', truncated ? `the first ${traces.length}, UTC` : 'oldest first, UTC');
  output.table(columnsThatFit(traceColumns, traces, output.columns), traces);
  output.info('`spanledger traces show ID` shows a trace');
};
