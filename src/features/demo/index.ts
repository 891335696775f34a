export { DEMO_EMAIL, findDemoUser, setDemoPassword } from './access.ts';
export { findNewestEvent } from './queries.ts';
export { seedDemo } from './seed.ts';
