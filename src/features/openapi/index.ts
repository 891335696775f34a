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
  let built: JsonText<OpenApi> | null = null;
  // Built once, because it takes 30 ms.
  const text = (): JsonText<OpenApi> => (built ??= new JsonText(JSON.stringify(toOpenApi(described(), '1'))));
  return {
    name: 'openapi',
    routes: [route(openApiEndpoint, () => text())],
  };
}
