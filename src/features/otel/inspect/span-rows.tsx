import { type JSX, type ReactNode, useState } from 'react';
import { StatusBadge } from '../../../core/events/widgets/status-badge.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { moneyText, numberText } from '../../../lib/figures.ts';
import type { InspectedSpan } from '../contract.ts';
import css from './span-rows.module.css';

type Row = { readonly span: InspectedSpan; readonly depth: number };

/** Deepest indentation, so that names have room. */
const MAX_DEPTH = 8;

/** Each span below its parent, in the order of the request. A span whose parent is missing is a root. */
export function toTree(spans: readonly InspectedSpan[]): Row[] {
  const keyOf = (span: InspectedSpan, id: string | null): string => `${span.trace_id} ${id}`;
  const known = new Set(spans.map((span) => keyOf(span, span.span_id)));
  const isRoot = (span: InspectedSpan): boolean =>
    span.parent_span_id === null || !known.has(keyOf(span, span.parent_span_id));
  const below = Map.groupBy(
    spans.filter((span) => !isRoot(span)),
    (span) => keyOf(span, span.parent_span_id),
  );
  const rows: Row[] = [];
  const left = new Set(spans);
  const add = (span: InspectedSpan): void => {
    const waiting: Row[] = [{ span, depth: 0 }];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      if (!left.delete(row.span)) continue;
      rows.push(row);
      const depth = row.depth + 1;
      const children = below.get(keyOf(row.span, row.span.span_id)) ?? [];
      waiting.push(...children.toReversed().map((child) => ({ span: child, depth })));
    }
  };
  for (const span of spans) if (isRoot(span)) add(span);
  // Spans in a cycle of parents have no root, so they are listed here.
  for (const span of spans) if (left.has(span)) add(span);
  return rows;
}

/** Number of calls and spans with a hint that are open at first. */
const OPEN_AT_FIRST = 3;
const isTelling = ({ is_call, hints }: InspectedSpan): boolean => is_call || hints.length > 0;

/** The spans of a body as a tree with their details. */
export function SpanRows({ spans }: { spans: readonly InspectedSpan[] }): JSX.Element {
  const rows = toTree(spans);
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(rows.flatMap(({ span }) => (isTelling(span) ? [span.span] : [])).slice(0, OPEN_AT_FIRST)),
  );
  const toggle = (place: number): void => {
    const next = new Set(open);
    if (!next.delete(place)) next.add(place);
    setOpen(next);
  };
  return (
    <section className="table-scroll" tabIndex={0} aria-label="Spans">
      <table className="table">
        <thead>
          <tr>
            <th>Span</th>
            <th>Read as</th>
            <th>Status</th>
            <th className="right">Input</th>
            <th className="right">Output</th>
            <th className="right">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ span, depth }) => (
            <SpanRow
              key={span.span}
              span={span}
              depth={depth}
              open={open.has(span.span)}
              onToggle={() => toggle(span.span)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = Row & { readonly open: boolean; readonly onToggle: () => void };

function SpanRow({ span, depth, open, onToggle }: RowProps): JSX.Element {
  return (
    <>
      <tr>
        <td style={{ paddingLeft: 16 + 18 * Math.min(depth, MAX_DEPTH) }}>
          <button type="button" className="sort span-toggle" aria-expanded={open} onClick={onToggle}>
            <span className={open ? undefined : 'folded'}>
              <Icon name="chevron" size={12} />
            </span>
            <span className="clip">{span.name}</span>
          </button>
        </td>
        <td>
          <ReadAs span={span} />
          {span.hints.length > 0 && <span className="badge warn badge-after">hint</span>}
        </td>
        <td>
          <StatusBadge status={span.status} />
        </td>
        <td className="right num">{tokensOf(span, 'input_tokens')}</td>
        <td className="right num">{tokensOf(span, 'output_tokens')}</td>
        <td className="right num">
          {span.cost.usd !== null ? (
            <span className={span.counted ? undefined : 'dim'}>{moneyText(span.cost.usd)}</span>
          ) : span.is_call ? (
            <span className="badge warn">unpriced</span>
          ) : (
            none
          )}
        </td>
      </tr>
      {open && (
        <tr className="audit-detail">
          <td colSpan={6}>
            <Details span={span} />
          </td>
        </tr>
      )}
    </>
  );
}

const none: JSX.Element = <span className="dim">–</span>;

function ReadAs({ span: { is_call, counted, kind } }: { span: InspectedSpan }): JSX.Element {
  if (!is_call) return <span>{kind === 'span' ? 'plain span' : kind}</span>;
  return counted ? (
    <span className="badge accent">{kind === 'llm' ? 'call' : kind}</span>
  ) : (
    <span className="badge">counted elsewhere</span>
  );
}

function tokensOf({ is_call, fields }: InspectedSpan, name: string): ReactNode {
  const value = fields.find(({ field }) => field === name)?.value;
  return is_call && typeof value === 'number' ? numberText(value) : none;
}

const MAX_TEXT = 200;
const valueText = (value: string | number | boolean): string =>
  typeof value === 'number' ? numberText(value) : String(value).slice(0, MAX_TEXT);

/** Explains the kind of a span, the source of each field, and the unused attributes. */
function Details({ span }: { span: InspectedSpan }): JSX.Element {
  const { is_call, cost } = span;
  return (
    <dl className={`changes ${css.inspected}`}>
      <Fact label="Why">
        {span.why.map((why) => (
          <div key={why}>{why}</div>
        ))}
      </Fact>
      {span.hints.length > 0 && (
        <Fact label="What to do">
          {span.hints.map((hint) => (
            <div key={hint} className="warn">
              {hint}
            </div>
          ))}
        </Fact>
      )}
      {span.fields.map(({ field, value, from, note }) => (
        <Fact key={field} label={<code>{field}</code>}>
          {valueText(value)} <span className="dim">← {from}</span>
          {note !== undefined && <span className="dim">; {note}</span>}
        </Fact>
      ))}
      {is_call && (
        <Fact label="Cost">
          {cost.usd !== null && `${moneyText(cost.usd)}, `}
          {cost.why}
          {cost.why.includes('prices set') && (
            <>
              {' '}
              or on the page <ProjectLink page="prices">Prices</ProjectLink>
            </>
          )}
        </Fact>
      )}
      <Names label="Dropped" note="content, stored only if the project stores prompts">
        {span.content.map(({ name, characters }) => `${name} (${numberText(characters)} characters)`)}
      </Names>
      <Names label="Deprecated" note="these names still work">
        {span.deprecated.map(({ name, successor }) => `${name} → ${successor}`)}
      </Names>
      <Names label="Kept" note="in metadata or tags">
        {span.kept}
      </Names>
      {span.unused.length > 0 && (
        <Fact label="Not used">
          {[...Map.groupBy(span.unused, ({ reason }) => reason)].map(([reason, dropped]) => (
            <div key={reason}>
              <code>{dropped.map(({ name }) => name).join(', ')}</code>
              <div className="dim">{reason}</div>
            </div>
          ))}
        </Fact>
      )}
      {span.sender !== null && <Fact label="Sent by">{span.sender}</Fact>}
      <Fact label="Ids">
        <span className="mono dim">
          span {span.span_id}, trace {span.trace_id}
        </span>
      </Fact>
    </dl>
  );
}

const Fact = ({ label, children }: { label: ReactNode; children: ReactNode }): JSX.Element => (
  <div>
    <dt className="dim">{label}</dt>
    <dd>{children}</dd>
  </div>
);

function Names(props: { label: string; note: string; children: readonly string[] }): JSX.Element | null {
  if (props.children.length === 0) return null;
  return (
    <Fact label={props.label}>
      {props.children.map((name) => (
        <div key={name}>
          <code>{name}</code>
        </div>
      ))}
      <div className="dim">{props.note}</div>
    </Fact>
  );
}
