/** Preloaded by `bench-ingest.ts`: events are stored without a place in the graph of agents and tools. */
Bun.plugin({
  name: 'without-links',
  setup(build) {
    build.onLoad({ filter: /links\/own-links\.ts$/ }, () => ({
      contents: 'export const ownLinksOf = () => null;',
      loader: 'ts',
    }));
  },
});
