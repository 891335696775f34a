import { LRUCache } from 'lru-cache';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { isPlaced, type Link, type LinkNode, linkOf, type SharedOwn } from '../../../link-tree.ts';
import { BASIC_FACTS, type LinkCaller } from '../../../links.ts';
import { edgeText, linkText, mergedLink, parseLink, parseOwn } from './link-text.ts';

/** Assigns numbers to links, as `Labels` does to labels. Number 0 is no link. */
export type LinkNumbers = {
  /** What an event says, given as `ownText`, as one object for all events of a project that say the same. */
  shared(project: number, own: string): SharedOwn;
  /** The number of a span's link. */
  numberOf(project: number, node: LinkNode): number;
  /** The number of a link; 0 for null. */
  numberOfLink(project: number, link: Link | null): number;
  /** The link of a number; null for 0. */
  linkOf(number: number): Link | null;
  /** Clears cached numbers that a rollback may have removed. */
  forget(): void;
};

/** Maximum number of links per project; later ones lose their names. */
export const MAX_LINKS = 20_000;
const REMEMBERED = 20_000;

export const linkNumbersPart: WriterPart<LinkNumbers> = { open: createLinkNumbers };

export function createLinkNumbers(connection: Connection): LinkNumbers {
  const find = connection.prepare('SELECT id FROM event_links WHERE project = ? AND json = ?').raw(true);
  const insert = connection
    .prepare('INSERT INTO event_links (project, json, edge) VALUES (?, ?, ?) RETURNING id')
    .raw(true);
  const count = connection.prepare('SELECT count(*) FROM event_links WHERE project = ?').raw(true);
  const read = connection.prepare('SELECT json FROM event_links WHERE id = ?').raw(true);
  // Plain maps: moving entries to the end at each use would take longer than to find them.
  const owns = new Map<number, Map<string, SharedOwn>>();
  let shared = 0;
  /** Of all that were ever shared. */
  let all = 0;
  const callers = new Map<string, LinkCaller>();
  const numbers = createNumbers();
  const links = new LRUCache<number, Link>({ max: REMEMBERED });
  const held = new Map<number, number>();

  const found = (project: number, text: string): number | null =>
    (find.all([project, text]) as number[][])[0]?.[0] ?? null;
  const heldOf = (project: number): number => {
    const known = held.get(project) ?? (count.all([project]) as number[][])[0]?.[0] ?? 0;
    held.set(project, known);
    return known;
  };
  const made = (project: number, text: string): number => {
    const ofEdge = edgeText(parseLink(text));
    const edge = ofEdge === text ? null : (found(project, ofEdge) ?? made(project, ofEdge));
    held.set(project, heldOf(project) + 1);
    return (insert.all([project, text, edge]) as number[][])[0]?.[0] ?? 0;
  };
  const merged = (project: number, text: string): number => {
    const rest = mergedLink(text);
    return found(project, rest) ?? made(project, rest);
  };

  const numberOfLink = (project: number, link: Link | null): number => {
    if (link === null) return 0;
    const text = linkText(link);
    return (
      found(project, text) ?? (heldOf(project) < MAX_LINKS ? made(project, text) : merged(project, text))
    );
  };
  const callerOf = (kind: LinkCaller['kind'], name: string): LinkCaller => {
    const key = `${kind} ${name}`;
    const known = callers.get(key) ?? { kind, name };
    callers.set(key, known);
    return known;
  };

  return {
    shared(project, text) {
      const known = owns.get(project)?.get(text);
      if (known !== undefined) return known;
      if (shared++ >= REMEMBERED) {
        owns.clear();
        callers.clear();
        numbers.clear();
        shared = 1;
      }
      const own = parseOwn(text);
      const asTool = own.kind === 'tool' ? callerOf('tool', own.name) : null;
      const asAgent = own.agent === null ? null : callerOf('agent', own.agent);
      const made = { ...own, no: all++, asTool, asAgent };
      const ofProject = owns.get(project) ?? new Map<string, SharedOwn>();
      owns.set(project, ofProject.set(text, made));
      return made;
    },
    numberOf(project, node) {
      if (!isPlaced(node)) return 0;
      const known = numbers.of(node);
      const at = Number(node.head);
      const number = known[at] ?? numberOfLink(project, linkOf(node));
      known[at] = number;
      return number;
    },
    numberOfLink,
    linkOf(number) {
      if (number === 0) return null;
      const known = links.get(number);
      if (known !== undefined) return known;
      const [row] = read.all([number]) as SqlValue[][];
      if (row === undefined) return null;
      const link = parseLink(String(row[0]));
      links.set(number, link);
      return link;
    },
    forget() {
      numbers.clear();
      links.clear();
      held.clear();
    },
  };
}

/** Numbers of a link that does not stand for a run and of one that does. */
type Pair = [plain?: number, head?: number];
type Known = { readonly own: Pair; others: Map<string, Pair> | null };
/** The numbers of what events say by caller and run, with the ones that were asked for last: mostly they are the next. */
type OfOwn = {
  readonly own: SharedOwn;
  readonly callers: Map<LinkCaller | null, Map<string | null, Known>>;
  caller: LinkCaller | null;
  root: string | null;
  last: Known | null;
};

/**
 * Remembers numbers by what makes a link: what its event says, its caller, its run, its release and versions of agents,
 * without a text of them all, which would take longer to make than all the rest.
 */
function createNumbers(): { of(node: LinkNode): Pair; clear(): void } {
  /** By `SharedOwn.no`, of which so many in a row have places of their own. */
  let numbers: OfOwn[] = [];
  let held = 0;

  function clear(): void {
    numbers = [];
    held = 0;
  }

  function knownOf(ofOwn: OfOwn, caller: LinkCaller | null, root: string | null): Known {
    let ofCaller = ofOwn.callers.get(caller);
    if (ofCaller === undefined) {
      ofCaller = new Map();
      ofOwn.callers.set(caller, ofCaller);
    }
    let known = ofCaller.get(root);
    if (known === undefined) {
      if (held++ >= REMEMBERED) clear();
      known = { own: [], others: null };
      ofCaller.set(root, known);
    }
    ofOwn.caller = caller;
    ofOwn.root = root;
    ofOwn.last = known;
    return known;
  }

  return {
    of({ own, caller, root, release, version, rootVersion }) {
      const at = own.no % REMEMBERED;
      let ofOwn = numbers[at];
      if (ofOwn?.own !== own) {
        ofOwn = { own, callers: new Map(), caller: null, root: null, last: null };
        numbers[at] = ofOwn;
      }
      const { last } = ofOwn;
      const isLast = last !== null && ofOwn.caller === caller && ofOwn.root === root;
      const known = isLast ? last : knownOf(ofOwn, caller, root);
      const stated = own.facts[BASIC_FACTS];
      if (release === own.facts[0] && version === stated && rootVersion === stated) return known.own;
      // Those that are taken from the spans above.
      known.others ??= new Map();
      const key = `${lengthed(release)}${lengthed(version)}${lengthed(rootVersion)}`;
      const other = known.others.get(key) ?? [];
      if (known.others.size < REMEMBERED) known.others.set(key, other);
      return other;
    },
    clear,
  };
}

/** A text with its length before it, so that it is clear where it ends. */
const lengthed = (text: string | null): string => (text === null ? '-' : `${text.length}:${text}`);
