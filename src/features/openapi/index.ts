import { defineRoute } from '../../core/tenancy/index.ts';
import type { Module } from '../../module.ts';
import { toOpenApi } from './document.ts';

/** Serves the description of every route of `modules`, this one's included. */
export function createOpenApiModule(modules: () => readonly Module[]): Module {
  const route = defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    auth: 'none',
    summary: 'This document',
    handler: () =>
      toOpenApi(
        modules()
          .flatMap((module) => module.routes ?? [])
          .filter((route) => route.hidden !== true),
        '1',
      ),
  });
  return { name: 'openapi', routes: [route] };
}
