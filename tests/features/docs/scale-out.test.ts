import { expect, test } from 'bun:test';
import { SETTINGS } from '../../../src/settings.ts';

const page = await Bun.file(new URL('../../../src/features/docs/pages/scale-out.md', import.meta.url)).text();
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '');

type Named = { readonly name: string };
type Compose = {
  readonly services: Readonly<Record<string, { readonly build?: string; readonly environment?: object }>>;
};
type Manifest = {
  readonly kind: string;
  readonly spec: {
    readonly template?: {
      readonly spec: { readonly containers: readonly { readonly env: readonly Named[] }[] };
    };
  };
};

/** What the page sets, of the product. */
function named(): string[] {
  const [compose = '', manifests = ''] = blocks;
  const { services } = Bun.YAML.parse(compose) as Compose;
  const own = Object.values(services).filter(({ build }) => build !== undefined);
  expect(own.length).toBe(2);
  const [deployment] = Bun.YAML.parse(manifests) as Manifest[];
  const containers = deployment?.spec.template?.spec.containers ?? [];
  return [
    ...own.flatMap(({ environment = {} }) => Object.keys(environment)),
    ...containers.flatMap(({ env }) => env.map(({ name }) => name)),
  ];
}

test('the compose file and the manifests set what there is to set', () => {
  const names = new Set(named());
  expect(names.size).toBeGreaterThan(5);
  const known = new Set(Object.keys(SETTINGS));
  expect([...names].filter((name) => !known.has(name.replace(/_FILE$/, '')))).toEqual([]);
});
