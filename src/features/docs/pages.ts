import security from '../../../SECURITY.md' with { type: 'text' };
import { FILTER_FIELDS } from '../../core/events/filter/contract.ts';
import { EXAMPLE_EVENT, eventInputSchema } from '../../core/events/input/contract.ts';
import { publishedAccuracies } from '../../lib/detect/accuracy.ts';
import agents from './pages/agents.md' with { type: 'text' };
import ai from './pages/ai.md' with { type: 'text' };
import alerts from './pages/alerts.md' with { type: 'text' };
import annotation from './pages/annotation.md' with { type: 'text' };
import channels from './pages/channels.md' with { type: 'text' };
import datasets from './pages/datasets.md' with { type: 'text' };
import deployments from './pages/deployments.md' with { type: 'text' };
import evaluators from './pages/evaluators.md' with { type: 'text' };
import events from './pages/events.md' with { type: 'text' };
import experiments from './pages/experiments.md' with { type: 'text' };
import filters from './pages/filters.md' with { type: 'text' };
import focus from './pages/focus.md' with { type: 'text' };
import guardrails from './pages/guardrails.md' with { type: 'text' };
import incidents from './pages/incidents.md' with { type: 'text' };
import limits from './pages/limits.md' with { type: 'text' };
import models from './pages/models.md' with { type: 'text' };
import openTelemetry from './pages/opentelemetry.md' with { type: 'text' };
import operating from './pages/operating.md' with { type: 'text' };
import playground from './pages/playground.md' with { type: 'text' };
import prompts from './pages/prompts.md' with { type: 'text' };
import scaleOut from './pages/scale-out.md' with { type: 'text' };
import scheduledReports from './pages/scheduled-reports.md' with { type: 'text' };
import scores from './pages/scores.md' with { type: 'text' };
import simulations from './pages/simulations.md' with { type: 'text' };
import singleSignOn from './pages/single-sign-on.md' with { type: 'text' };
import statements from './pages/statements.md' with { type: 'text' };
import troubleshooting from './pages/troubleshooting.md' with { type: 'text' };
import frame from './text.html' with { type: 'text' };

type Page = { readonly title: string; readonly markdown: () => string };

/** The pages of the documentation by their path below `/docs`. */
export const PAGES = {
  events: {
    title: 'Events',
    markdown: () =>
      String(events)
        .replace('{{example}}', () => JSON.stringify(EXAMPLE_EVENT))
        .replace('{{fields}}', eventFields),
  },
  opentelemetry: { title: 'OpenTelemetry', markdown: () => String(openTelemetry) },
  filters: { title: 'Filters', markdown: () => String(filters).replace('{{fields}}', filterFields) },
  agents: { title: 'Agents and tools', markdown: () => String(agents) },
  ai: { title: 'Questions, anomalies and savings', markdown: () => String(ai) },
  alerts: { title: 'Alerts', markdown: () => String(alerts) },
  channels: { title: 'Channels', markdown: () => String(channels) },
  incidents: { title: 'Incidents', markdown: () => String(incidents) },
  guardrails: {
    title: 'Guardrails',
    markdown: () => String(guardrails).replace('{{accuracy}}', accuracies),
  },
  deployments: { title: 'Deployments', markdown: () => String(deployments) },
  statements: { title: 'Statements', markdown: () => String(statements) },
  'scheduled-reports': { title: 'Scheduled reports', markdown: () => String(scheduledReports) },
  focus: { title: 'FOCUS export', markdown: () => String(focus) },
  models: { title: 'Models', markdown: () => String(models) },
  prompts: { title: 'Prompts', markdown: () => String(prompts) },
  playground: { title: 'Playground', markdown: () => String(playground) },
  scores: { title: 'Scores', markdown: () => String(scores) },
  evaluators: { title: 'Evaluators', markdown: () => String(evaluators) },
  annotation: { title: 'Annotation queues', markdown: () => String(annotation) },
  datasets: { title: 'Datasets', markdown: () => String(datasets) },
  simulations: { title: 'Simulations', markdown: () => String(simulations) },
  experiments: { title: 'Experiments', markdown: () => String(experiments) },
  'single-sign-on': { title: 'Single sign-on', markdown: () => String(singleSignOn) },
  'scale-out': { title: 'Events on ClickHouse', markdown: () => String(scaleOut) },
  operating: { title: 'Operating', markdown: () => String(operating) },
  limits: { title: 'Limits', markdown: () => String(limits) },
  troubleshooting: { title: 'Troubleshooting', markdown: () => String(troubleshooting) },
  security: { title: 'Security', markdown: () => String(security) },
} as const satisfies Record<string, Page>;

/** A page as HTML; wide tables scroll in a box of their own. */
export function renderPage(name: keyof typeof PAGES): string {
  const { title, markdown } = PAGES[name];
  const content = Bun.markdown
    .html(markdown())
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return withLinks(String(frame))
    .replace('{{title}}', title)
    .replace('{{content}}', () => content);
}

/** A page with links to the pages of the documentation where it has `{{links}}`. */
export const withLinks = (page: string): string =>
  page.replace(
    '{{links}}',
    Object.entries(PAGES)
      .map(([path, { title }]) => `<a href="/docs/${path}">${title}</a>`)
      .join(' '),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** The fields that an event may have, from the schema that checks them. */
function eventFields(): string {
  const rows = Object.entries(eventInputSchema.shape).map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema.def),
    schema.description ?? '',
  ]);
  return table(['field', 'type', 'meaning'], rows);
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

const accuracies = (): string =>
  table(
    ['check', 'type', 'examples', 'precision', 'recall'],
    publishedAccuracies().map(({ check, type, examples, precision, recall }) => [
      check,
      `\`${type}\``,
      String(examples),
      percent(precision),
      percent(recall),
    ]),
  );

const filterFields = (): string =>
  table(
    ['field', 'meaning'],
    Object.entries(FILTER_FIELDS).map(([name, field]) => [
      `\`${name}\``,
      'choices' in field
        ? `${field.doc} One of ${field.choices.map((one) => `\`${one}\``).join(', ')}.`
        : field.doc,
    ]),
  );

type Def = { readonly type: string; readonly innerType?: unknown; readonly entries?: object };

/** The JSON type of a field. */
function typeOf(def: Def): string {
  const inner = def.innerType as { readonly def: Def } | undefined;
  if (inner !== undefined) return typeOf(inner.def);
  if (def.entries !== undefined)
    return Object.keys(def.entries)
      .map((value) => `\`${value}\``)
      .join(', ');
  return { record: 'object', unknown: 'any' }[def.type] ?? def.type;
}
