import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type JSX, useRef, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { InspectReply, inspectEndpoint } from '../contract.ts';
import { exampleBody } from './example.ts';
import { Senders } from './senders-panel.tsx';
import { SpanRows } from './span-rows.tsx';

const inspectApi = endpointOf<typeof inspectEndpoint>('POST /v1/otel/inspect');

const MB = 1_048_576;
/** The server's limit, before compression. */
const MAX_BYTES = 4 * MB;

/** Most refused spans to list; they usually share one reason. */
const REFUSED_SHOWN = 100;

/** Explains how a recorded OTLP request is read; nothing is stored. */
export function InspectorPage(): JSX.Element {
  const projectId = useProjectId();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const inspection = useMutation<InspectReply, ApiError, Blob>({
    mutationFn: async (body) => {
      if (body.size > MAX_BYTES) throw tooLarge(body.size);
      return send(inspectApi, { query: { projectId }, body });
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
        See how a recorded OTLP trace request is read: which spans are calls, where each field comes from,
        what is dropped, and what it costs. Nothing is stored or counted against the quota.
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
            label="Request body"
            description="Paste JSON or drop a file: JSON, protobuf, or the Collector's file exporter. Up to 4 MB, gzip up to 1 MB."
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
        // A new key per inspection, because the open rows belong to its spans.
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
    `The body has ${sizeText(bytes)}; the limit here is 4 MB. In a terminal, spanledger otel inspect FILE takes 32 MB.`,
  );

/** A standard button that opens the browser's file dialog. */
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
          // Allows choosing the same file again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Keeps the tile as tall as one with a note. */
const blank = ' ';

function Result({ of }: { of: InspectReply }): JSX.Element {
  const { encoding, spans, calls, counted, unpriced, refused, refused_spans, details, truncated } = of;
  const { senders, resource } = of;
  const listed = refused.slice(0, REFUSED_SHOWN);
  if (spans === 0 && refused.length === 0)
    return (
      <Panel>
        <Notice icon="search" title="The trace request contains no spans" />
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
              note: <span className="dim">{encoding === 'json' ? 'JSON body' : 'protobuf body'}</span>,
            },
            {
              id: 'calls',
              label: 'Calls',
              kind: 'count',
              value: counted,
              note: elsewhere > 0 ? `${numberText(elsewhere)} counted elsewhere` : 'each counted once',
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
          detail={`${numberText(refused_spans)} of ${numberText(spans + refused_spans)}${refused_spans > listed.length ? `, showing the first ${numberText(listed.length)}` : ''}`}
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
      <Senders senders={senders} resource={resource} />
      {details.length > 0 && (
        <Panel
          flush
          title="Spans"
          {...(truncated ? { detail: `showing the first ${numberText(details.length)}` } : {})}
        >
          <SpanRows spans={details} />
        </Panel>
      )}
    </>
  );
}
