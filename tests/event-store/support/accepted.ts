import { AppError } from '../../../src/errors.ts';

const RETRY_MS = 20;

/** Sends or asks again what a busy store refuses with 503, as clients do. */
export async function accepted<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** A store whose reads are each asked again as long as it is busy. */
export const patient = <Store extends object>(store: Store): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        const ask = (): unknown => Reflect.apply(method, target, given);
        const first = ask();
        if (!(first instanceof Promise)) return first;
        let asked: Promise<unknown> | null = first;
        return accepted(async () => {
          const answer = asked ?? (await ask());
          asked = null;
          return await answer;
        });
      };
    },
  });
