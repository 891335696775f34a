import type { MetricsDocument } from '../../../core/events/query/contract.ts';

/** What is asked about the calls of a page; its time, environment and filter are the page's. */
export type MetricsQuestion = Omit<MetricsDocument, 'start' | 'end' | 'range' | 'timeZone' | 'compare'>;
