export { compileSchema, type SchemaCheck, SchemaError } from './compile-schema.ts';
