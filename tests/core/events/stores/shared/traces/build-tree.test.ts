import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  MAX_TRACE_LEVELS,
  type SpanNode,
  type StoredEvent,
} from '../../../../../../src/core/events/contract.ts';
import { buildTree } from '../../../../../../src/core/events/stores/shared/traces/build-tree.ts';

/** Only what the tree looks at. */
const span = (span_id: string, parent_span_id: string | null): StoredEvent =>
  ({ span_id, parent_span_id }) as StoredEvent;

/** `a(b c(d))`, with `?` after orphans, `@` after cut rings and `!` after what is listed too high. */
const draw = (nodes: readonly SpanNode[]): string =>
  nodes
    .map((node) => {
      const mark = `${node.orphan ? '?' : ''}${node.cycle ? '@' : ''}${node.too_deep ? '!' : ''}`;
      return node.span_id + mark + (node.children.length > 0 ? `(${draw(node.children)})` : '');
    })
    .join(' ');

/** Every node, found without recursion, with its level. */
function flatten(roots: readonly SpanNode[]): { node: SpanNode; level: number }[] {
  const found = roots.map((node) => ({ node, level: 1 }));
  for (const { node, level } of found) {
    for (const child of node.children) found.push({ node: child, level: level + 1 });
  }
  return found;
}

describe('buildTree', () => {
  test('nests children under their parents in the order of the spans', () => {
    const spans = [span('a', null), span('b', 'a'), span('c', 'a'), span('d', 'c'), span('e', null)];
    expect(draw(buildTree(spans))).toBe('a(b c(d)) e');
  });

  test('finds a parent that comes after its child', () => {
    expect(draw(buildTree([span('b', 'a'), span('a', null)]))).toBe('a(b)');
  });

  test('makes a span whose parent is missing a root and marks it', () => {
    expect(draw(buildTree([span('b', 'gone'), span('c', 'b')]))).toBe('b?(c)');
  });

  test('breaks cycles, including a span that is its own parent, at the first span', () => {
    expect(draw(buildTree([span('a', 'a'), span('b', 'a')]))).toBe('a@(b)');
    expect(draw(buildTree([span('x', 'b'), span('a', 'c'), span('b', 'a'), span('c', 'b')]))).toBe(
      'a@(b(x c))',
    );
  });

  test('gives children to the first of two spans with the same id', () => {
    expect(draw(buildTree([span('a', null), span('a', null), span('b', 'a')]))).toBe('a(b) a');
  });

  test('has every span exactly once, whatever the parents', () => {
    const id = fc.integer({ min: 0, max: 15 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.option(id)), { maxLength: 40 }), (pairs) => {
        const nodes = flatten(buildTree(pairs.map(([own, parent]) => span(own, parent)))).map(
          ({ node }) => node,
        );
        expect(nodes.map((node) => node.span_id).sort()).toEqual(pairs.map(([own]) => own).sort());
      }),
      { numRuns: 500 },
    );
  });

  test('keeps a chain of 30,000 spans, flat below the last level, and it can be written as JSON', () => {
    const spans = Array.from({ length: 30_000 }, (_, i) => span(`s${i}`, i === 0 ? null : `s${i - 1}`));
    const roots = buildTree(spans.reverse());
    const found = flatten(roots);
    expect(found).toHaveLength(30_000);
    expect(Math.max(...found.map(({ level }) => level))).toBe(MAX_TRACE_LEVELS + 1);
    const flat = found.filter(({ level }) => level > MAX_TRACE_LEVELS).map(({ node }) => node);
    expect(flat.slice(0, 3).map(({ span_id, too_deep }) => [span_id, too_deep])).toEqual([
      [`s${MAX_TRACE_LEVELS}`, undefined],
      [`s${MAX_TRACE_LEVELS + 1}`, true],
      [`s${MAX_TRACE_LEVELS + 2}`, true],
    ]);
    expect(JSON.stringify(roots).length).toBeGreaterThan(30_000);
  });

  test('keeps a cycle of 30,000 spans', () => {
    const spans = Array.from({ length: 30_000 }, (_, i) => span(`s${i}`, `s${(i + 29_999) % 30_000}`));
    const roots = buildTree(spans);
    expect(roots.map(({ span_id, cycle }) => [span_id, cycle])).toEqual([['s0', true]]);
    expect(flatten(roots)).toHaveLength(30_000);
  });
});
