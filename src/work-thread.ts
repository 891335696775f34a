import { lowerPriority } from './http/work/lower-priority.ts';
import { serveWork } from './http/work/work-thread.ts';
import { works } from './works.ts';

// Entry of the thread for work that would hold up the thread that answers HTTP. It takes seconds of the processor, so
// it yields to that thread, the writer and the readers.
lowerPriority(10);
serveWork(works);
