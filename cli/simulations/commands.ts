import type { Command } from '../command.ts';
import { simulationsList } from './list.ts';
import { simulationsPull } from './pull.ts';
import { simulationsPush } from './push.ts';
import { simulationsRun } from './run.ts';

/** The commands about simulations, as the help lists them. */
export const simulationCommands: readonly Command[] = [
  simulationsList,
  simulationsRun,
  simulationsPush,
  simulationsPull,
];
