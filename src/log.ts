import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { withoutControls } from './lib/control-characters.ts';

const STDERR = 2;
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg']);

/** A log on standard error: JSON, one line per entry; text where a terminal shows it. */
export function createLog(level: string): Logger {
  const out = pino.destination({ dest: STDERR, sync: true });
  if (!isatty(STDERR)) return pino({ level }, out);
  return pino({ level }, { write: (line: string) => out.write(logText(line)) });
}

/**
 * A JSON line of the log as text: UTC time, level, message, fields.
 * @example logText('{"level":40,"time":0,"msg":"no price","model":"m"}') // '1970-01-01 00:00:00Z warn  no price  model=m\n'
 */
export function logText(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown> & { time: number; level: number; msg?: string };
  const time = new Date(entry.time).toISOString().replace('T', ' ').replace(/\..*/, 'Z');
  const level = (pino.levels.labels[entry.level] ?? String(entry.level)).padEnd(5);
  const fields = Object.entries(entry)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${isWord(value) ? value : JSON.stringify(value)}`);
  const text = [entry.msg ?? '', ...fields].join('  ');
  return `${withoutControls(`${time} ${level} ${text}`)}\n`;
}

const isWord = (value: unknown): value is string => typeof value === 'string' && !/[\s"]/.test(value);
