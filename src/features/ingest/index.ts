import type { Module } from '../../module.ts';
import { ingestRoute } from './routes.ts';

export const ingestModule: Module = { name: 'ingest', routes: [ingestRoute] };
