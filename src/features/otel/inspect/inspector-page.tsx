import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type JSX, useRef, useState } from 'react';
import { ApiError, call } from '../../../dashboard/shell/api.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { InspectReply } from '../contract.ts';
import { exampleBody } from './example.ts';
import { SpanRows } from './span-rows.tsx';

const MB = 1_048_576;
/** What the server takes, before compression. */
const MAX_BYTES = 4 * MB;

/** Most refused spans that are listed: they are mostly refused for one reason. */
const REFUSED_SHOWN = 100;

/** What an exporter sends, and what becomes of it: tried out, not recorded. */
export function InspectorPage(): JSX.Element {
  const projectId = useProjectId();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const inspection = useMutation<InspectReply, ApiError, Blob>({
    mutationFn: async (body) => {
      if (body.size > MAX_BYTES) throw tooLarge(body.size);
      return call('/v1/otel/inspect', { method: 'POST', params: { projectId }, body });
    },
  });
  const inspectText = (body: string): void => inspection.mutate(new Blob([body]));
  const take = (given: File | undefined): void => {
    if (given === undefined) return;
    setFile(given);
    setText('');
    inspection.mutate(given);
  };
  const type = (body: string): void => {
    setText(body);
    setFile(null);
  };
  return (
    <Page title="OTLP inspector" scoped={false}>
      <p className="dim lead">
        How a recorded OTLP trace request is read: what is a call, which attribute became what, what is
        dropped and what it would cost. Nothing of it is stored, nothing counts against the quota.
      </p>
      <Panel>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') inspectText(text);
            else if (file !== null) inspection.mutate(file);
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event: DragEvent) => {
            const [dropped] = event.dataTransfer.files;
            if (dropped === undefined) return;
            event.preventDefault();
            take(dropped);
          }}
        >
          <Textarea
            label="The body"
            description="Paste JSON, or drop a file: JSON, Protobuf, or the lines of the Collector's file exporter, up to 4 MB, gzipped up to 1 MB."
            placeholder={'{ "resourceSpans": [ … ] }'}
            rows={8}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            classNames={{ input: 'mono' }}
            spellCheck={false}
          />
          <div className="inline-form">
            <Button
              type="submit"
              loading={inspection.isPending}
              disabled={text.trim() === '' && file === null}
            >
              Inspect
            </Button>
            <FileButton onFile={take} />
            <Button
              variant="default"
              onClick={() => {
                const body = exampleBody(Date.now());
                type(body);
                inspectText(body);
              }}
            >
              Try an example
            </Button>
            {file !== null && (
              <span className="dim">
                {file.name}, {sizeText(file.size)}
              </span>
            )}
          </div>
        </form>
      </Panel>
      {inspection.isPending ? (
        <Panel flush>
          <LoadingRows rows={6} />
        </Panel>
      ) : inspection.error !== null ? (
        <Panel>
          <Failure error={inspection.error} />
        </Panel>
      ) : (
        // Of each inspection anew: what is open is of its spans.
        inspection.data !== undefined && <Result key={inspection.submittedAt} of={inspection.data} />
      )}
    </Page>
  );
}

const sizeText = (bytes: number): string =>
  bytes < MB ? `${numberText(Math.ceil(bytes / 1024))} kB` : `${(bytes / MB).toFixed(1)} MB`;

const tooLarge = (bytes: number): ApiError =>
  new ApiError(
    413,
    `This is ${sizeText(bytes)}; the page takes up to 4 MB. On a terminal, spanledger otel inspect FILE takes 32 MB.`,
  );

/** The file dialog of the browser, behind a button like the others. */
function FileButton({ onFile }: { onFile: (file: File | undefined) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          // So that the same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** As tall as the note of the tile beside it. */
const blank = ' ';

function Result({ of }: { of: InspectReply }): JSX.Element {
  const { encoding, spans, calls, counted, unpriced, refused, refused_spans, details, truncated } = of;
  const listed = refused.slice(0, REFUSED_SHOWN);
  if (spans === 0 && refused.length === 0)
    return (
      <Panel>
        <Notice icon="search" title="It is a trace request, but there is no span in it" />
      </Panel>
    );
  const elsewhere = calls - counted;
  return (
    <>
      <Panel flush>
        <Kpis
          kpis={[
            {
              id: 'spans',
              label: 'Spans',
              kind: 'count',
              value: spans,
              note: <span className="dim">{encoding === 'json' ? 'in JSON' : 'in Protobuf'}</span>,
            },
            {
              id: 'calls',
              label: 'Calls',
              kind: 'count',
              value: counted,
              note: elsewhere > 0 ? `${numberText(elsewhere)} counted elsewhere` : 'each counts once',
            },
            { id: 'input', label: 'Input tokens', kind: 'count', value: of.input_tokens, note: blank },
            { id: 'output', label: 'Output tokens', kind: 'count', value: of.output_tokens, note: blank },
            {
              id: 'cost',
              label: 'Cost',
              kind: 'money',
              value: of.cost_usd,
              note:
                unpriced > 0 ? <span className="warn">{numberText(unpriced)} without a price</span> : blank,
            },
          ]}
        />
      </Panel>
      {refused.length > 0 && (
        <Panel
          title="Refused"
          detail={`${numberText(refused_spans)} of ${numberText(spans + refused_spans)}${refused_spans > listed.length ? `, the first ${numberText(listed.length)} are shown` : ''}`}
        >
          <ul>
            {listed.map(({ span, error }) => (
              <li key={`${span} ${error}`}>
                <span className="dim num">Span {numberText(span)}</span> <span className="bad">{error}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {details.length > 0 && (
        <Panel
          flush
          title="Spans"
          {...(truncated ? { detail: `the first ${numberText(details.length)} are shown` } : {})}
        >
          <SpanRows spans={details} />
        </Panel>
      )}
    </>
  );
}
