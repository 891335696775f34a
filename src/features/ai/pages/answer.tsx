import { Button, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { MetricsDocument } from '../../../core/events/query/contract.ts';
import { measureLabel } from '../../../dashboard/shell/metrics/names.ts';
import { readDocument } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { chartOf } from '../ask/chart-of.ts';
import type { AskReply, WrittenQuery } from '../ask/contract.ts';
import { toRows } from '../ask/to-rows.ts';
import { documentsOfAnswer } from '../draft/answer-documents.ts';
import { AnswerChart } from './answer-chart.tsx';
import { AnswerTable } from './answer-table.tsx';
import { Examples } from './examples.tsx';
import { MakeButtons } from './make-buttons.tsx';

/** An answer: the sentence, a chart, the rows, and the query, which can be changed and run again. */
export function Answer({
  reply,
  onAsk,
}: {
  reply: AskReply;
  onAsk: (question: string) => void;
}): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const [figures, setFigures] = useState(reply);
  if (figures.refusal !== null) return <Refusal reply={reply} onAsk={onAsk} />;
  const { start, end, answer, model } = figures;
  return (
    <Panel
      title={figures.question}
      detail={
        start === null || end === null
          ? undefined
          : `${timeText.minute(start, zone)} to ${timeText.minute(end, zone)}${model === null ? '' : `, read by ${model}`}`
      }
      actions={<MakeButtons drafts={documentsOfAnswer(figures, projectId)} />}
      flush
    >
      <p className="lead" style={{ padding: '4px 16px 12px' }}>
        {answer}
      </p>
      <AnswerChart figures={figures} />
      <AnswerTable figures={figures} />
      <Query figures={figures} onRun={setFigures} />
    </Panel>
  );
}

/** Why there is no answer: in the words of the server, with what was understood and what was not. */
const Refusal = ({ reply, onAsk }: { reply: AskReply; onAsk: (question: string) => void }): JSX.Element => {
  const { message, nearest, examples } = reply.refusal ?? { message: '', nearest: null, examples: [] };
  return (
    <Panel title={reply.question}>
      <div className="stack">
        <p>{message}</p>
        {nearest !== null && (
          <>
            <p className="dim">Without these words it can be answered:</p>
            <Examples examples={[nearest]} onAsk={onAsk} />
            <p className="dim">Other questions that are understood:</p>
          </>
        )}
        <Examples examples={examples} onAsk={onAsk} />
      </div>
    </Panel>
  );
};

/** The query as a document of `POST /v1/metrics/query`. A changed one is run there, and counts against no limit of questions. */
function Query({ figures, onRun }: { figures: AskReply; onRun: (figures: AskReply) => void }): JSX.Element {
  const projectId = useProjectId();
  const [text, setText] = useState(JSON.stringify(figures.query, null, 2));
  const form = useSubmit(async () => {
    const query = parsed(text);
    const reply = await readDocument(projectId, query as MetricsDocument);
    const measures = reply.measures.map(({ name, unit }) => ({ name, label: measureLabel(name), unit }));
    const rows = toRows(reply, null);
    onRun({
      ...figures,
      query,
      baseline: null,
      start: reply.start,
      end: reply.end,
      measures,
      rows,
      chart: chartOf(rows, reply.groupBy.length),
      answer: 'Figures of the changed query.',
    });
  });
  return (
    <details style={{ padding: '8px 16px 12px' }}>
      <summary>Query</summary>
      <form className="form" onSubmit={form.onSubmit} style={{ paddingTop: 8 }}>
        <Textarea
          aria-label={`Query of ${figures.question}`}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        {figures.baseline !== null && (
          <p className="dim">The answer compares it with another window, which a changed query does not.</p>
        )}
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <div>
          <Button type="submit" size="xs" variant="default" loading={form.busy}>
            Run
          </Button>
        </div>
      </form>
    </details>
  );
}

/** @throws Error for what is no JSON */
function parsed(text: string): WrittenQuery {
  try {
    return JSON.parse(text) as WrittenQuery;
  } catch {
    throw new Error('The query is not valid JSON');
  }
}
