import { LRUCache } from 'lru-cache';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import type { Link } from '../../../link-tree.ts';
import { edgeText, linkText, mergedLink, parseLink } from './link-text.ts';

/** Assigns numbers to links, as `Labels` does to labels. Number 0 is no link. */
export type LinkNumbers = {
  numberOf(project: number, link: Link | null): number;
  /** The link of a number; null for 0. */
  linkOf(number: number): Link | null;
  /** Clears cached numbers that a rollback may have removed. */
  forget(): void;
};

/** Maximum number of links per project; later ones lose their names. */
export const MAX_LINKS = 20_000;
const REMEMBERED = 20_000;

export const linkNumbersPart: WriterPart<LinkNumbers> = { open: createLinkNumbers };

function createLinkNumbers(connection: Connection): LinkNumbers {
  const find = connection.prepare('SELECT id FROM event_links WHERE project = ? AND json = ?').raw(true);
  const insert = connection
    .prepare('INSERT INTO event_links (project, json, edge) VALUES (?, ?, ?) RETURNING id')
    .raw(true);
  const count = connection.prepare('SELECT count(*) FROM event_links WHERE project = ?').raw(true);
  const read = connection.prepare('SELECT json FROM event_links WHERE id = ?').raw(true);
  // A plain map: moving entries to the end at each use would take longer than to find them.
  const numbers = new Map<string, number>();
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

  return {
    numberOf(project, link) {
      if (link === null) return 0;
      const key = keyOf(project, link);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const text = linkText(link);
      const number =
        found(project, text) ?? (heldOf(project) < MAX_LINKS ? made(project, text) : merged(project, text));
      if (numbers.size >= REMEMBERED) numbers.clear();
      numbers.set(key, number);
      return number;
    },
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

/** Differs for different links, as their texts do, and is made in a third of the time. */
function keyOf(project: number, { kind, name, caller, root, head, facts }: Link): string {
  let key = `${project} ${kind} ${head ? 1 : 0} ${lengthed(name)}`;
  key += caller === null ? '-' : `${caller.kind} ${lengthed(caller.name)}`;
  key += lengthed(root);
  for (const fact of facts) key += lengthed(fact);
  return key;
}

/** A text with its length before it, so that it is clear where it ends. */
const lengthed = (text: string | null): string => (text === null ? '-' : `${text.length}:${text}`);
