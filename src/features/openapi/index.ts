import { route } from '../../core/tenancy/index.ts';
import type { Module } from '../../module.ts';
import { openApiEndpoint } from './contract.ts';
import { toOpenApi } from './document.ts';

/** Serves the OpenAPI document of all routes of `modules`, including its own. */
export function createOpenApiModule(modules: () => readonly Module[]): Module {
  const described = () =>
    modules()
      .flatMap((module) => module.routes ?? [])
      .filter(({ hidden }) => hidden !== true);
  return {
    name: 'openapi',
    routes: [route(openApiEndpoint, () => toOpenApi(described(), '1'))],
  };
}
