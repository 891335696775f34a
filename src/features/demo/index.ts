export { type SeedOptions, seedDemo } from './seed.ts';
