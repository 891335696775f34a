import type { TileQuery } from '../../../features/dashboards/tiles/contract.ts';

/** What a chart shows, as a card of a dashboard; the filter and environment of the page are added to its filter. */
export type Card = { readonly title: string } & Pick<TileQuery, 'kind' | 'measures'> & Partial<TileQuery>;
