import type { TestApp } from '../../helpers/app.ts';

/** A schema of the reference, as far as tests read it. */
export type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
};
type Media = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
};
export type Operation = {
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>;
};
export type Listed = {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
};
export type Reference = {
  readonly text: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** All operations, in the order of the document. */
  readonly operations: readonly Listed[];
};

/** Reads the API reference from a server. */
export async function readReference(app: TestApp): Promise<Reference> {
  const text = await (await app.fetch('/v1/openapi.json')).text();
  const { paths, components } = JSON.parse(text) as {
    paths: Reference['paths'];
    components: { schemas: Reference['schemas'] };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { at: `${method} ${path}`, method, path, operation };
    }),
  );
  return { text, paths, schemas: components.schemas, operations };
}
