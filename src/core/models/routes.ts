import { route } from '../tenancy/index.ts';
import { modelsEndpoint } from './contract.ts';
import { listModels } from './list-models.ts';

export const modelRoutes = [route(modelsEndpoint, (ctx, _input, { scope }) => listModels(ctx, scope))];
