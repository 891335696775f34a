import type { Command } from '../command.ts';
import { anomaliesList } from './anomalies.ts';
import { ask } from './ask.ts';
import {
  recommendationsApply,
  recommendationsDismiss,
  recommendationsReopen,
} from './decide-recommendations.ts';
import { anomaliesExplain } from './explain.ts';
import { recommendationsList, recommendationsShow } from './recommendations.ts';

/** Questions, unusual hours and recommendations. */
export const aiCommands: readonly Command[] = [
  ask,
  anomaliesList,
  anomaliesExplain,
  recommendationsList,
  recommendationsShow,
  recommendationsApply,
  recommendationsDismiss,
  recommendationsReopen,
];
