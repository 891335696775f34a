import { type Ctx, listService, type Service } from '../../context.ts';
import type { Module } from '../../module.ts';
import { createOutbound, type Outbound } from './create-outbound.ts';

/** A client without a context, for commands. @param allow OUTBOUND_ALLOW */
export const createProductOutbound = (allow: string | undefined): Outbound =>
  createOutbound({ allow, userAgent: 'Spanledger' });

const outbound: Service<Outbound> = {
  name: 'outbound',
  open: (ctx) => createProductOutbound(ctx.config.OUTBOUND_ALLOW),
  close: (opened) => opened.close(),
};

/** Requests to addresses that tenants, replies or the operator choose. All of the product's go through it. */
export const outboundModule: Module = { name: 'outbound', services: [listService(outbound)] };

/** The client of a context. */
export const outboundOf = (ctx: Ctx): Outbound => ctx.use(outbound);

export type { Outbound } from './create-outbound.ts';
export { OutboundError } from './outbound-error.ts';
