import type { Attributes } from './attributes.ts';

type Tree = { [step: string]: unknown };

const MAX_STEPS = 12;
const INDEX = /^\d{1,6}$/;

/**
 * Rebuilds a list that is spread over attributes, as OpenInference and OpenLLMetry send it.
 * @example `llm.input_messages.0.message.role` = 'user' under `llm.input_messages`: [{ message: { role: 'user' } }]
 */
export function unflatten(attributes: Attributes, prefix: string): unknown[] {
  const root: Tree = Object.create(null);
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix) || name[prefix.length] !== '.') continue;
    const steps = name.slice(prefix.length + 1).split('.');
    if (steps.length > MAX_STEPS || !INDEX.test(steps[0] ?? '')) continue;
    put(root, steps, value);
  }
  const list = toLists(root);
  return Array.isArray(list) ? list : [];
}

function put(root: Tree, steps: readonly string[], value: unknown): void {
  let node = root;
  for (const step of steps.slice(0, -1)) {
    const next = node[step];
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) node = next as Tree;
    else node = node[step] = Object.create(null) as Tree;
  }
  node[steps.at(-1) ?? ''] ??= value;
}

/** Turns objects with only numeric keys into lists in numeric order, without gaps. */
function toLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const steps = Object.keys(value);
  const tree = value as Tree;
  for (const step of steps) tree[step] = toLists(tree[step]);
  if (steps.length === 0 || !steps.every((step) => INDEX.test(step))) return tree;
  return steps.sort((a, b) => Number(a) - Number(b)).map((step) => tree[step]);
}
