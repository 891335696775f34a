import type { JSX } from 'react';
import { PageTabs } from './page-tabs.tsx';

const PAGES = [
  { page: 'evaluators', label: 'Evaluators' },
  { page: 'evaluators/rules', label: 'Online rules' },
  { page: 'evaluators/scores', label: 'Scores' },
] as const;

/** The way between the pages about scores: the first thing on each of them. */
export const QualityTabs = (): JSX.Element => <PageTabs label="Evaluators" pages={PAGES} />;
