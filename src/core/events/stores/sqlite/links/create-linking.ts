import type { Connection } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import type { StoredParts } from '../counting/stored-parts.ts';
import { createLinker, type LinkBatch, type Linked } from './create-linker.ts';
import { linkNumbersPart } from './link-numbers.ts';
import { createLogLinks } from './log-links.ts';
import { createRelinkStored } from './relink-stored.ts';

/** Places the events of a batch in the graph of agents and tools, and stored ones that the batch concerns anew. */
export type Linking = {
  link(batch: LinkBatch): Linked;
  /** Applies the outcome in the transaction of the batch, after the batch is in the log. */
  apply(batch: Pick<LinkBatch, 'project' | 'seq'>, linked: Linked): void;
  /** Reverts the last `link`, because its batch is not stored. */
  undo(): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

export function createLinking(connection: Connection, { share }: WriterEnv, stored: StoredParts): Linking {
  const numbers = share(linkNumbersPart);
  const logLinks = createLogLinks(connection, true);
  const linker = createLinker({ stored, numbers, logLinks });
  const relinkStored = createRelinkStored(connection, stored, logLinks);
  return {
    link: linker.link,
    apply({ project, seq }, { own, earlier }) {
      logLinks.add(project, seq, [...own]);
      relinkStored(project, earlier);
    },
    undo() {
      linker.undo();
      numbers.forget();
      logLinks.forget();
      stored.sealed.forget();
      stored.sums.forget();
    },
    forget() {
      stored.trees.clear();
      numbers.forget();
      logLinks.forget();
    },
  };
}
