import { expect, test } from 'bun:test';
import pino from 'pino';
import { type Ctx, createServices, defineEvent, listService, type Service } from '../src/context.ts';
import { createEmitter, listen } from '../src/module.ts';

const logged: unknown[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
const ctx = { log } as Partial<Ctx> as Ctx;

test('listeners are called at once, in the order of the modules, with the payload', () => {
  const told = defineEvent<{ n: number }>('thing.told');
  const other = defineEvent('thing.forgotten');
  const seen: string[] = [];
  const emit = createEmitter([
    {
      name: 'a',
      on: [listen(told, (_, { n }) => seen.push(`a ${n}`)), listen(other, () => seen.push('no'))],
    },
    { name: 'b', on: [listen(told, (_, { n }) => seen.push(`b ${n}`))] },
  ]);
  emit(ctx, told.name, { n: 3 });
  expect(seen).toEqual(['a 3', 'b 3']);
});

test('a listener that throws is logged and does not stop the others', () => {
  const told = defineEvent('thing.told');
  let called = 0;
  const fail = listen(told, () => {
    throw new Error('no');
  });
  const emit = createEmitter([{ name: 'a', on: [fail, listen(told, () => void called++)] }]);
  emit(ctx, told.name, undefined);
  expect(called).toBe(1);
  expect(logged).toMatchObject([{ event: 'thing.told', err: { message: 'no' } }]);
});

test('services are opened once, when first used, and closed in reverse order', async () => {
  const steps: string[] = [];
  const below: Service<string> = { name: 'below', open: () => 'b', close: (it) => void steps.push(`-${it}`) };
  const above: Service<string> = {
    name: 'above',
    open: (own) => {
      steps.push(`+a on ${services.use(own, below)}`);
      return 'a';
    },
    close: (it) => void steps.push(`-${it}`),
  };
  const services = createServices([listService(below), listService(above)]);
  expect([services.use(ctx, above), services.use(ctx, above)]).toEqual(['a', 'a']);
  await services.close();
  expect(steps).toEqual(['+a on b', '-a', '-b']);
});

test('using a service that no module lists throws', () => {
  const stray: Service<string> = { name: 'stray', open: () => 's' };
  expect(() => createServices([]).use(ctx, stray)).toThrow('no module lists the service stray');
});
