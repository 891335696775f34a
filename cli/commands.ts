import type { Command } from './command.ts';
import { configShow } from './config/show.ts';

/** Every command, in the order of the help page. To add one: write its file, import it, list it. */
export const commands: readonly Command[] = [configShow];
