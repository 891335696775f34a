import { listService, type Service } from '../../context.ts';
import { route } from '../../core/tenancy/index.ts';
import { JsonText } from '../../lib/json-text.ts';
import type { Module } from '../../module.ts';
import { openApiEndpoint } from './contract.ts';
import { type OpenApi, toOpenApi } from './document.ts';

/** Serves the OpenAPI document of all routes of `modules`, including its own. */
export function createOpenApiModule(modules: () => readonly Module[]): Module {
  const described = () =>
    modules()
      .flatMap((module) => module.routes ?? [])
      .filter(({ hidden }) => hidden !== true);
  // Built once, because it takes 30 ms.
  const reference: Service<JsonText<OpenApi>> = {
    name: 'openapi.document',
    open: (ctx) => new JsonText(JSON.stringify(toOpenApi(described(), { version: '1', now: ctx.now() }))),
  };
  return {
    name: 'openapi',
    services: [listService(reference)],
    routes: [route(openApiEndpoint, (ctx) => ctx.use(reference))],
  };
}
