import { version } from '../../package.json';
import { type ArgumentSpec, type Command, type OptionSpec, toKebab } from '../command.ts';
import { commands } from '../commands.ts';
import { GLOBAL_OPTIONS } from '../program.ts';

/** Text for troff: a backslash, and a dot or quote that begins a line, would be commands. */
const escaped = (text: string): string =>
  text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const argumentText = ([name, { optional, variadic }]: [string, ArgumentSpec]): string => {
  const word = `${toKebab(name)}${variadic ? '...' : ''}`;
  return optional ? `[${word}]` : word;
};

const optionLines = ([name, { value, short, summary }]: [string, OptionSpec]): string[] => [
  '.TP',
  `\\fB${short === undefined ? '' : `\\-${short}\\fR, \\fB`}\\-\\-${escaped(toKebab(name))}\\fR${value === undefined ? '' : ` \\fI${escaped(value)}\\fR`}`,
  escaped(summary),
];

function commandLines({ name, summary, args, options, examples }: Command): string[] {
  const words = Object.entries(args).map(argumentText).join(' ');
  return [
    `.SS spanledger ${escaped(name)} ${escaped(words)}`.trimEnd(),
    `${escaped(summary)}.`,
    ...Object.entries(args).flatMap(([arg, spec]) => [
      '.TP',
      `\\fI${toKebab(arg)}\\fR`,
      escaped(spec.summary),
    ]),
    ...Object.entries(options).flatMap(optionLines),
    '.PP',
    'Examples:',
    '.nf',
    ...examples.map(escaped),
    '.fi',
  ];
}

const EXITS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'It worked.'],
  [1, 'It failed, or a check found something.'],
  [2, 'The command line or a setting is wrong.'],
  [3, 'What is named does not exist.'],
  [4, 'It is not permitted.'],
  [5, 'It conflicts with what exists, or the file is in use.'],
  [6, 'The database file is missing, damaged or not a database.'],
];

/** The manual page of all commands, from what they say of themselves. */
export const manPage = (): string =>
  `${[
    `.TH SPANLEDGER 1 "" "Spanledger ${version}" "User Commands"`,
    '.SH NAME',
    'spanledger \\- the books for your LLM calls',
    '.SH SYNOPSIS',
    '.B spanledger',
    '\\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH OPTIONS OF EVERY COMMAND',
    ...GLOBAL_OPTIONS.flatMap(([flags, summary]) => ['.TP', `\\fB${escaped(flags)}\\fR`, escaped(summary)]),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, meaning]) => ['.TP', String(code), escaped(meaning)]),
    '.SH FILES',
    '.TP',
    '/var/lib/spanledger/ledger.db',
    'The database of the service. Its secret lies beside it, in ledger.db.secret.',
    '.TP',
    '/etc/spanledger/spanledger.env',
    'Settings of the service.',
  ].join('\n')}\n`;
