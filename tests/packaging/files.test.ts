import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { commands } from '../../cli/commands.ts';
import { manPage } from '../../cli/packaging/man-page.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string): Promise<string> => Bun.file(join(root, path)).text();

test('the manual page has every command with its options, and troff reads it without a warning', () => {
  const page = manPage();
  for (const { name } of commands) expect(page).toContain(`.SS spanledger ${name.replaceAll('-', '\\-')}`);
  for (const line of page.split('\n'))
    expect([line, /^\.(?!TH|SH|SS|TP|PP|nf|fi|B )/.test(line)]).toEqual([line, false]);
  if (Bun.which('groff') === null) return;
  const { stderr, exitCode } = Bun.spawnSync(['groff', '-man', '-Kutf8', '-Tutf8', '-ww', '-z'], {
    stdin: Buffer.from(page),
  });
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
});

test('the service is hardened', async () => {
  const unit = await read('cli/packaging/spanledger.service');
  for (const line of [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'User=spanledger',
    'CapabilityBoundingSet=',
  ])
    expect(unit.split('\n')).toContain(line);
  // Debian mounts /run noexec, and the driver of the database is loaded from there.
  expect(unit).toMatch(/^Environment=BUN_TMPDIR=\/var\/cache\/spanledger\nCacheDirectory=spanledger$/m);
  if (Bun.which('systemd-analyze') === null) return;
  const path = join(root, 'cli/packaging/spanledger.service');
  const { stdout, exitCode } = Bun.spawnSync([
    'systemd-analyze',
    'security',
    '--offline=true',
    '--threshold=20',
    path,
  ]);
  expect([exitCode, stdout.toString().split('\n').at(-2)]).toEqual([0, expect.stringContaining('OK')]);
});

test('the image has three stages, an own user and nothing that changes without notice', async () => {
  const lines = (await read('Dockerfile')).split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM '));
  expect(stages.length).toBe(3);
  expect(stages.at(-1)).toBe('FROM scratch');
  for (const stage of stages.slice(0, -1)) expect(stage).toMatch(/^FROM [\w/]+:[\d.]+[\w.-]* AS \w+$/);
  const names = stages.flatMap((stage) => / AS (\w+)$/.exec(stage)?.[1] ?? []);
  for (const [, from] of (await read('Dockerfile')).matchAll(/--from=(\w+)/g))
    expect(names).toContain(from ?? '');
  expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER 10001:10001');
  expect(stages[0]).toContain(`bun:${Bun.version}`);
  const compose = Bun.YAML.parse(await read('cli/packaging/compose.yaml')) as {
    services: { spanledger: Record<string, unknown> };
  };
  expect(compose.services.spanledger).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
});
