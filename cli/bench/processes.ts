import { readdirSync, readFileSync } from 'node:fs';

/** Resources of a process and its descendants: CPU seconds so far, resident bytes now. */
export type Usage = { cpuSeconds: number; rssBytes: number; processes: number };

/** Ticks per second of /proc/PID/stat (sysconf _SC_CLK_TCK is 100 on Linux). */
const TICKS = 100;
const PAGE_BYTES = 4096;

/** Reads /proc, so it works on Linux only; elsewhere everything is 0. */
export function usageOf(pid: number): Usage {
  const stats = readStats();
  const tree = descendants(pid, stats);
  const sum = (of: (stat: Stat) => number): number => tree.reduce((total, stat) => total + of(stat), 0);
  return {
    cpuSeconds: sum((stat) => stat.ticks) / TICKS,
    rssBytes: sum((stat) => stat.pages) * PAGE_BYTES,
    processes: tree.length,
  };
}

type Stat = { pid: number; parent: number; ticks: number; pages: number };

function descendants(pid: number, stats: readonly Stat[]): Stat[] {
  const own = stats.filter((stat) => stat.pid === pid);
  const children = stats.filter((stat) => stat.parent === pid);
  return [...own, ...children.flatMap((child) => descendants(child.pid, stats))];
}

function readStats(): Stat[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'))];
    } catch {
      return []; // The process has ended.
    }
  });
}

/** proc_pid_stat(5): the name in parentheses may contain anything, so fields are counted after it. */
function parseStat(text: string): Stat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(text, 10),
    parent: field(4),
    ticks: field(14) + field(15),
    pages: field(24),
  };
}
