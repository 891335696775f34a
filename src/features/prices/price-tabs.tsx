import type { JSX } from 'react';
import { PageTabs } from '../../dashboard/shell/page-tabs.tsx';

const PAGES = [
  { page: 'prices', label: 'Custom prices' },
  { page: 'prices/catalogue', label: 'Catalogue' },
] as const;

/** The way between the pages about prices. */
export const PriceTabs = (): JSX.Element => <PageTabs label="Prices" pages={PAGES} />;
