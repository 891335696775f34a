import { route } from '../../core/tenancy/index.ts';
import type { Module } from '../../module.ts';
import { checkEvents, dropDamaged } from './actions.ts';
import { damageEndpoint } from './contract.ts';
import { listDamage } from './list-damage.ts';

const damageRoute = route(damageEndpoint, async (ctx, _input, { scope }) => ({
  damage: await listDamage(ctx, scope),
}));

/** Stored events that can't be read: says which, checks for more, and gives them up. */
export const damageModule: Module = {
  name: 'damage',
  routes: [damageRoute],
  actions: [checkEvents, dropDamaged],
};
