export { DEMO_EMAIL, findDemoUser, setDemoPassword } from './access.ts';
export { seedDemo } from './seed.ts';
export { DEMO_STORY, dayMoment, dayWindow } from './story.ts';
