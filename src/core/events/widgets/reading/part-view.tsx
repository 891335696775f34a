import type { JSX } from 'react';
import type { ToolPairs } from '../../../../lib/messages/compare-messages.ts';
import type { Part, ToolCall, ToolResult } from '../../../../lib/messages/message.ts';
import { parsedJson } from '../../../../lib/messages/message.ts';
import { prettyJson } from '../../../../lib/messages/message-text.ts';
import { CodeBlock } from './code-block.tsx';
import { Fold } from './fold.tsx';
import { LongText } from './long-text.tsx';
import { Away, Markdown, Picture } from './markdown.tsx';
import css from './reading.module.css';

type Props = { readonly part: Part; readonly pairs: ToolPairs };

/** One part of a message. */
export function PartView({ part, pairs }: Props): JSX.Element | null {
  switch (part.kind) {
    case 'text':
      return <Said text={part.text} />;
    case 'refusal':
      return (
        <div>
          <span className="badge warn">Refused</span> <Said text={part.text} />
        </div>
      );
    case 'reasoning':
      return <Reasoning text={part.text} />;
    case 'image':
      return <Picture url={part.url} name={part.name} />;
    case 'file':
      return <File url={part.url} name={part.name} />;
    case 'call':
      return <CallView call={part} result={pairs.resultOf.get(part)} pairs={pairs} />;
    case 'result':
      return <ResultView result={part} name={pairs.callOf.get(part)?.name} pairs={pairs} />;
    case 'data':
      return <CodeBlock text={prettyJson(part.value)} language="JSON" />;
  }
}

/** Prose as Markdown, JSON as JSON. */
function Said({ text }: { text: string }): JSX.Element | null {
  if (text.trim() === '') return null;
  const parsed = parsedJson(text);
  if (typeof parsed === 'object') return <CodeBlock text={prettyJson(parsed)} language="JSON" />;
  return <LongText text={text}>{(shown) => <Markdown text={shown} />}</LongText>;
}

const Reasoning = ({ text }: { text: string | null }): JSX.Element =>
  text === null ? (
    <span className="dim">The provider returned its reasoning encrypted.</span>
  ) : (
    <Fold title="Reasoning" detail={text.slice(0, 120)} className={css.reasoning}>
      {() => <Said text={text} />}
    </Fold>
  );

function File({ url, name }: { url: string | null; name: string | null }): JSX.Element {
  const mime = /^data:([^;,]+)/i.exec(url ?? '')?.[1];
  const title = name ?? mime ?? 'attached';
  return (
    <span className={css.remote}>
      <span className="badge">File</span>{' '}
      {url === null || mime !== undefined ? (
        <span className="dim">{title}</span>
      ) : (
        <Away to={url}>{title}</Away>
      )}
      {mime !== undefined && name !== null && <span className="dim"> {mime}</span>}
    </span>
  );
}

type CallProps = {
  readonly call: ToolCall;
  readonly result: ToolResult | undefined;
  readonly pairs: ToolPairs;
};

/** A tool call with its arguments, and below them what the tool returned. */
const CallView = ({ call, result, pairs }: CallProps): JSX.Element => (
  <div className={css.tool}>
    <div className={css.toolHead}>
      <i className="kind kind-tool" />
      <strong className="clip" title={call.id ?? undefined}>
        {call.name}
      </strong>
      {result?.failed === true && <span className="badge bad">failed</span>}
    </div>
    <CodeBlock text={prettyJson(call.args ?? {})} label="Arguments" />
    {result !== undefined && <Returned result={result} pairs={pairs} />}
  </div>
);

const ResultView = ({
  result,
  name,
  pairs,
}: {
  result: ToolResult;
  name: string | undefined;
  pairs: ToolPairs;
}): JSX.Element => (
  <div className={css.tool}>
    <div className={css.toolHead}>
      <i className="kind kind-tool" />
      <strong className="clip">{result.name ?? name ?? result.id ?? 'Tool'}</strong>
      {result.failed && <span className="badge bad">failed</span>}
    </div>
    <Returned result={result} pairs={pairs} />
  </div>
);

function Returned({ result, pairs }: { result: ToolResult; pairs: ToolPairs }): JSX.Element {
  const [only] = result.parts;
  if (only === undefined) return <span className="dim">Returned nothing.</span>;
  if (result.parts.length === 1 && (only.kind === 'data' || only.kind === 'text'))
    return <CodeBlock text={prettyJson(only.kind === 'data' ? only.value : only.text)} label="Result" />;
  return (
    <>
      {result.parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one result never move
        <PartView key={place} part={part} pairs={pairs} />
      ))}
    </>
  );
}
