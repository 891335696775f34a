import { defineSubject } from '../audit/index.ts';
import { deliveries } from './table.ts';

/** What the audit log shows of a delivery. */
export const deliverySubject = defineSubject('delivery', deliveries, ['channelId', 'type', 'status']);
