import type { Module } from '../../module.ts';
import { removePriceAction, setPricesAction, updateCatalogueAction } from './actions.ts';
import { catalogueRoute } from './catalogue/list-catalogue.ts';
import { catalogueModelsRoute } from './catalogue/show-models.ts';
import { checkPricesJob } from './jobs.ts';
import { pricedModelsRoute } from './models.ts';
import { createPriceRoute, deletePriceRoute, listPricesRoute, updatePriceRoute } from './routes.ts';
import { unpricedRoute } from './unpriced.ts';

/** Prices of organizations, the catalogue behind them, and what has no price. */
export const pricesModule: Module = {
  name: 'prices',
  routes: [
    unpricedRoute,
    pricedModelsRoute,
    catalogueRoute,
    catalogueModelsRoute,
    listPricesRoute,
    createPriceRoute,
    updatePriceRoute,
    deletePriceRoute,
  ],
  actions: [setPricesAction, removePriceAction, updateCatalogueAction],
  jobs: [checkPricesJob],
};

export { currentPrice } from './catalogue/current-price.ts';
export { listCatalogue } from './catalogue/list-catalogue.ts';
export { showModels } from './catalogue/show-models.ts';
