export { DEMO_EMAIL, findDemoUser, setDemoPassword } from './access.ts';
export { findNewestEvent } from './queries.ts';
export { type SeedOptions, seedDemo } from './seed.ts';
