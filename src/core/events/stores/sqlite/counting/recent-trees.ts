/** Spans in memory (about 400 bytes each), of the most recently extended traces. */
const REMEMBERED = 40_000;

/** The trees of the most recently extended traces, by project and trace. */
export class RecentTrees<T extends { readonly size: number }> {
  /** Two generations, because deleting the oldest entries of one map one by one is slow. */
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #youngSpans = 0;

  /** A tree that is returned counts as recently used. */
  get(key: string): T | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, tree: T): void {
    if (this.#youngSpans > REMEMBERED / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSpans = 0;
    }
    this.#young.set(key, tree);
    this.#youngSpans += tree.size;
  }

  /** Counts spans that were added to a tree. */
  grew(spans: number): void {
    this.#youngSpans += spans;
  }

  delete(key: string): void {
    this.#youngSpans -= this.#young.get(key)?.size ?? 0;
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngSpans = 0;
  }
}
