import type { InspectedSpan, InspectReply } from '../../src/features/otel/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { money, number, type Tone } from '../format.ts';
import type { Output } from '../output.ts';
import { tinted } from '../report/figures.ts';

/** Width of the label column. */
const INDENT = 12;
const MOST_NAMES = 12;

/** Prints an inspection: totals, then a paragraph per call and a line per other span. */
export function renderInspection(output: Output, doc: InspectReply, all: boolean): void {
  output.heading(totals(doc));
  renderSenders(output, doc);
  for (const { span, error } of doc.refused) output.line(tinted(`${span}  refused: ${error}`, 'bad'));
  if (doc.refused_spans > doc.refused.length)
    output.info(`Showing the first ${doc.refused.length} of ${doc.refused_spans} refused spans`);
  for (const span of doc.details) renderSpan(output, span, all || span.is_call || span.hints.length > 0);
  if (doc.truncated) output.info(`Showing the first ${doc.details.length} spans`);
  if (!all && doc.details.some(({ is_call }) => !is_call)) {
    output.info('--all also shows the attributes of spans that are not calls; --json shows everything');
  }
}

/** What the clients send, and what to set for the rest. */
function renderSenders(output: Output, { senders, resource }: InspectReply): void {
  for (const { name, calls, hints, ...told } of senders) {
    const has = (['user', 'session', 'prompts', 'tools'] as const).filter((what) => told[what]);
    const sent = has.length === 0 ? '' : `, with ${has.join(', ')}`;
    output.line(tinted(name, 'bold'), tinted(`${number(calls).text} calls${sent}`, 'dim'));
    for (const hint of hints) paragraph(output, 'hint', hint, 'warn');
  }
  const dropped = resource.map((it) => it.name);
  paragraph(output, 'resource', names(dropped), 'dim', 'not kept: ');
}

function totals(doc: InspectReply): string {
  const calls = `${countText(doc.calls, 'call')}${doc.calls === doc.counted ? '' : `, ${doc.counted} counted`}`;
  const cost = `${money(doc.cost_usd).text}${doc.unpriced > 0 ? ` and ${doc.unpriced} without a price` : ''}`;
  const tokens = `${number(doc.input_tokens).text} tokens in, ${number(doc.output_tokens).text} out`;
  return `${countText(doc.spans, 'span')}, ${calls} · ${tokens} · ${cost}`;
}

function renderSpan(output: Output, span: InspectedSpan, detailed: boolean): void {
  output.raw('\n');
  const verdict = span.is_call ? (span.counted ? 'call' : 'call, counted elsewhere') : span.kind;
  const tone: Tone = span.is_call && span.counted ? 'good' : 'dim';
  const status = tinted(`· ${span.status}`, span.status === 'success' ? 'dim' : 'bad');
  output.line(
    tinted(String(span.span), 'dim'),
    tinted(cut(span.name, 40), 'bold'),
    tinted(verdict, tone),
    status,
  );
  for (const why of span.why) paragraph(output, 'why', why);
  if (!detailed) return;
  if (span.sender !== null) paragraph(output, 'sender', span.sender);
  renderFields(output, span);
  if (span.is_call) {
    const usd = span.cost.usd === null ? '' : `${money(span.cost.usd).text}, `;
    paragraph(output, 'cost', `${usd}${span.cost.why}`, span.cost.usd === null ? 'warn' : 'plain');
  }
  const content = span.content.map(({ name, characters }) => `${name} (${characters})`);
  paragraph(output, 'content', names(content), 'plain', 'dropped unless prompts are stored: ');
  paragraph(output, 'renamed', span.deprecated.map((it) => `${it.name} → ${it.successor}`).join(', '), 'dim');
  paragraph(output, 'kept', names(span.kept), 'dim');
  for (const [reason, dropped] of Map.groupBy(span.unused, (it) => it.reason))
    paragraph(output, 'not used', `${dropped.map(({ name }) => name).join(', ')}: ${reason}`, 'dim');
  for (const hint of span.hints) paragraph(output, 'hint', hint, 'warn');
}

function renderFields(output: Output, { fields }: InspectedSpan): void {
  const width = Math.max(0, ...fields.map(({ field }) => field.length));
  for (const { field, value, from, note } of fields) {
    const shown = typeof value === 'number' ? number(value).text : cut(String(value), 28);
    const text = `${field.padEnd(width)}  ${shown} ← ${from}${note === undefined ? '' : ` (${note})`}`;
    paragraph(output, '', text, 'plain', '', width + 2);
  }
}

const names = (list: readonly string[]): string =>
  list.slice(0, MOST_NAMES).join(', ') +
  (list.length > MOST_NAMES ? `, and ${list.length - MOST_NAMES} more` : '');

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** Prints a label and its text, wrapped at blanks; following lines are indented by `hang`. */
function paragraph(
  output: Output,
  label: string,
  body: string,
  tone: Tone = 'plain',
  lead = '',
  hang = 0,
): void {
  if (body === '') return;
  const width = output.columns - INDENT - 1;
  const lines: string[] = [''];
  for (const word of `${lead}${body}`.split(/(?<= )/)) {
    const line = lines.at(-1) ?? '';
    const indent = lines.length === 1 ? 0 : hang;
    if (line !== '' && line.length + word.trimEnd().length + indent > width) lines.push(word);
    else lines[lines.length - 1] = line + word;
  }
  for (const [i, line] of lines.entries()) {
    const head = (i === 0 ? `   ${label}` : '').padEnd(INDENT + (i === 0 ? 0 : hang) - 1);
    output.line(tinted(head, 'dim'), tinted(line.trimEnd(), tone));
  }
}
