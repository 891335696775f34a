import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import type { RepricingRow } from './contract.ts';

/** Describes the selected calls: `23 Oct, 00:00 – 21 Nov, 21:40 · gpt-4o · production`. */
export const requestText = (request: RepricingRow['request'], zone: Zone): string =>
  [
    `${timeText.minute(request.start, zone)} – ${timeText.minute(request.end, zone)}`,
    request.provider,
    request.model,
    request.environment,
    request.unpricedOnly ? 'only without a price' : undefined,
    request.clientCosts ? 'including stated costs' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
