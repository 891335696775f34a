import { modules } from './features.ts';
import { serveWork } from './http/work/work-thread.ts';

// Entry of the thread for work that would hold up the thread that answers HTTP.
serveWork(modules.flatMap((module) => module.works ?? []));
