import type { AnyWork } from './http/work/work.ts';

/**
 * The works of all manifests by name. The work thread loads each on its first use, so that it holds in memory only
 * what it runs; see `writes.ts`.
 */
export const works: Readonly<Record<string, () => Promise<AnyWork>>> = {
  'ai.anomalies': async () => (await import('./features/ai/anomalies/find-work.ts')).findAnomaliesWork,
  'alerts.judge': async () => (await import('./features/alerts/evaluate/judge-work.ts')).judgeWork,
  'alerts.preview': async () => (await import('./features/alerts/preview/preview-work.ts')).previewWork,
  'costs.write_focus': async () => (await import('./features/costs/focus/write-focus.ts')).writeFocusWork,
  'datasets.check-items': async () => (await import('./core/datasets/schemas/check-work.ts')).checkItemsWork,
  'datasets.read-file': async () => (await import('./core/datasets/files/read-file-work.ts')).readFileWork,
  'event-list.write_file': async () => (await import('./features/events/write-file.ts')).writeFileWork,
  'evaluators.compare': async () => (await import('./core/evaluators/run/compare-work.ts')).compareWork,
  'guardrails.check': async () => (await import('./core/guardrails/checking/check-work.ts')).checkWork,
  'otel.read': async () => (await import('./features/otel/read-events.ts')).readEventsWork,
  'simulations.check': async () => (await import('./features/simulations/run/check-work.ts')).checkAnswerWork,
  'simulations.read': async () =>
    (await import('./features/simulations/change/read-suite-work.ts')).readSuiteWork,
};
