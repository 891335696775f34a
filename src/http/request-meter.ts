import type { Service } from '../context.ts';
import { createDurations, type Durations } from '../lib/stats/durations.ts';

/** Requests of one route, method and status since the start. */
export type RequestCount = {
  readonly method: string;
  /** The path of the route with its parameters; `none` for a path without a route. */
  readonly route: string;
  readonly status: number;
  readonly count: number;
};

/** Counts requests by route and status, and how long those of an API take by route. */
export type RequestMeter = {
  count(request: { method: string; route: string; status: number; seconds: number }): void;
  read(): { counts: readonly RequestCount[]; durations: ReadonlyMap<string, Durations> };
};

/** Any other method is a client's invention. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

export const requestMeter: Service<RequestMeter> = {
  name: 'http.request_meter',
  open: () => {
    const counts = new Map<string, RequestCount>();
    const durations = new Map<string, Durations>();
    return {
      count({ method: given, route, status, seconds }) {
        const method = METHODS.has(given) ? given : 'other';
        const key = `${method} ${status} ${route}`;
        counts.set(key, { method, route, status, count: (counts.get(key)?.count ?? 0) + 1 });
        const ofRoute = durations.get(route) ?? createDurations();
        durations.set(route, ofRoute);
        ofRoute.observe(seconds);
      },
      read: () => ({ counts: [...counts.values()], durations }),
    };
  },
};
