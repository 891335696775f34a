import { readSync } from 'node:fs';

// Entry of a thread of the query process. Its standard input is a pipe of the command, which ends with it, however it
// ends. A statement may run for hours and keeps the other thread busy, so this one ends the process.
while (isOpen()) {
  // Nothing is ever sent.
}
process.kill(process.pid, 'SIGKILL');

function isOpen(): boolean {
  try {
    return readSync(0, new Uint8Array(1)) > 0;
  } catch {
    return false;
  }
}
