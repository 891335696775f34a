import type { Reader } from '../../../../../db/reader.ts';
import type { Link } from '../../../link-tree.ts';
import { linksOfProject } from '../links/read-links.ts';

/** The links of a project, by number, as far as runs need them. */
export type LinkAgents = {
  readonly links: ReadonlyMap<number, Link>;
  /** The number of the outermost agent from 1; 0 without one. */
  readonly agentOf: Uint32Array;
  /** Whether the link's span stands for a run. */
  readonly isHead: Uint8Array;
  /** The names of the agents; the first has number 1. */
  readonly agents: readonly string[];
  /** False if some links lost their names and facts, because the project has very many (`MAX_LINKS`). */
  readonly isComplete: boolean;
};

export function linkAgents(reader: Reader, project: number): LinkAgents {
  const links = linksOfProject(reader, project);
  const most = links.keys().reduce((max, id) => Math.max(max, id), 0);
  const agentOf = new Uint32Array(most + 1);
  const isHead = new Uint8Array(most + 1);
  const numbers = new Map<string, number>();
  let isComplete = true;
  for (const [id, { root, head, facts }] of links) {
    if (facts.length === 0) isComplete = false;
    if (root === null) continue;
    const number = numbers.get(root) ?? numbers.size + 1;
    numbers.set(root, number);
    agentOf[id] = number;
    isHead[id] = Number(head);
  }
  return { links, agentOf, isHead, agents: [...numbers.keys()], isComplete };
}
