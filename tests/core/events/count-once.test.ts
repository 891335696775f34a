import { describe, expect, test } from 'bun:test';
import { recountCalls } from '../../../src/core/events/count-once.ts';
import { findDuplicates } from '../../../src/core/events/index.ts';
import { addSpan, createSpanTree, type SpanTree, type TreeSpan } from '../../../src/core/events/span-tree.ts';

type Node = { kind?: 'llm' | 'embedding' | 'span'; tokens?: number; failed?: boolean; parent?: number };

/** Indexes of the counted spans, numbered from 0. */
const counted = (...nodes: Node[]): number[] => {
  const spans = nodes.map(({ kind = 'llm', tokens = 0, failed = false, parent }, place) => ({
    kind,
    status: failed ? ('error' as const) : ('success' as const),
    input_tokens: tokens,
    output_tokens: 0,
    ts: place,
    trace_id: 't',
    span_id: String(place),
    parent_span_id: parent === undefined ? null : String(parent),
  }));
  const duplicates = findDuplicates(spans);
  return [...spans.keys()].filter((place) => !duplicates.has(place));
};

describe('a call that several spans represent', () => {
  test.each<[string, Node[], number[]]>([
    [
      'siblings are calls of their own',
      [{ kind: 'span' }, { tokens: 1, parent: 0 }, { tokens: 1, parent: 0 }],
      [0, 1, 2],
    ],
    ['the wrapper counts, not the span of the SDK under it', [{ tokens: 9 }, { tokens: 9, parent: 0 }], [0]],
    ['children come first', [{ tokens: 9, parent: 1 }, { tokens: 9 }], [1]],
    [
      'a span between them changes nothing',
      [{ tokens: 9 }, { kind: 'span', parent: 0 }, { tokens: 9, parent: 1 }],
      [0, 1],
    ],
    ['a failed wrapper counts', [{ failed: true }, { failed: true, parent: 0 }], [0]],
    ['a wrapper without tokens gives way to a child that has them', [{}, { tokens: 9, parent: 0 }], [1]],
    ['so do two', [{}, { parent: 0 }, { tokens: 9, parent: 1 }], [2]],
    [
      'and to several children',
      [{}, { tokens: 9, parent: 0 }, { tokens: 9, parent: 0 }, { parent: 0 }],
      [1, 2],
    ],
    ['without tokens anywhere the outermost counts', [{}, { parent: 0 }, { parent: 1 }], [0]],
    [
      'below the one that counts nothing does',
      [{}, { tokens: 9, parent: 0 }, { tokens: 9, parent: 1 }, { parent: 2 }],
      [1],
    ],
    [
      'an embedding in a chat is another call',
      [{ tokens: 9 }, { kind: 'embedding', tokens: 9, parent: 0 }],
      [0, 1],
    ],
    [
      'a cycle counts once',
      [
        { tokens: 9, parent: 1 },
        { tokens: 9, parent: 0 },
      ],
      [0],
    ],
    ['a span that is its own parent counts', [{ tokens: 9, parent: 0 }], [0]],
    ['a parent that is not there is no parent', [{ tokens: 9, parent: 7 }], [0]],
  ])('%s', (_, nodes, expected) => {
    expect(counted(...nodes)).toEqual(expected);
  });

  test('ten thousand nested calls are each visited once', () => {
    const [tree, nodes]: [SpanTree, TreeSpan[]] = [createSpanTree(), []];
    let visits = 0;
    const add = (place: number, tells: boolean): TreeSpan => {
      const given = {
        span: String(place),
        ts: place,
        kind: 'llm',
        tells,
        linked: false,
        counted: true,
        parent: null,
        children: [],
      } as const;
      const node = addSpan<TreeSpan>(
        tree,
        { ...given, children: [] },
        place === 0 ? null : String(place - 1),
      );
      if (node === null) throw new Error(`there are two spans ${place}`);
      let { children } = node;
      const visit = (): TreeSpan[] => {
        visits++;
        return children;
      };
      const set = (next: TreeSpan[]): void => {
        children = next;
      };
      Object.defineProperty(node, 'children', { get: visit, set });
      nodes.push(node);
      return node;
    };
    const countedNow = (): number[] => nodes.flatMap(({ counted }, place) => (counted ? [place] : []));
    for (let place = 0; place < 10_000; place++) add(place, false);
    visits = 0;
    recountCalls(nodes);
    expect([visits, countedNow()]).toEqual([10_000, [0]]);
    const last = add(10_000, true);
    visits = 0;
    recountCalls([last]);
    expect([visits, countedNow()]).toEqual([10_001, [10_000]]);
  });
});
