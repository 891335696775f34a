import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readEnv } from '../../src/config.ts';
import { SCRIPTS } from '../completions/scripts.ts';
import { manPage } from './man-page.ts';

/** What goes into a Debian package. */
export interface DebianPackage {
  /** The program: one file. */
  readonly binary: string;
  readonly version: string;
  readonly architecture: 'amd64' | 'arm64';
  /** The file to write. */
  readonly to: string;
  /** No file in it is newer, in seconds since 1970, so that a commit gives the same bytes. */
  readonly epoch: number;
  readonly compression?: 'none' | 'xz';
}

const here = import.meta.dir;
const root = join(here, '../..');
const read = (path: string): Buffer => readFileSync(path);

/** May hold passwords. */
const SETTINGS = 'etc/spanledger/spanledger.env';

/** The files of the package beside the program, by their paths. */
const filesOf = (): Readonly<Record<string, string | Uint8Array>> => ({
  'usr/lib/systemd/system/spanledger.service': read(join(here, 'spanledger.service')),
  [SETTINGS]: read(join(here, 'spanledger.env')),
  'usr/share/doc/spanledger/copyright': read(join(root, 'LICENSE')),
  'usr/share/doc/spanledger/SECURITY.md': read(join(root, 'SECURITY.md')),
  'usr/share/doc/spanledger/changelog.gz': gzipSync(read(join(root, 'CHANGELOG.md'))),
  'usr/share/spanledger/grafana-dashboard.json': read(
    join(root, 'src/features/system/grafana-dashboard.json'),
  ),
  'usr/share/man/man1/spanledger.1.gz': gzipSync(manPage()),
  'usr/share/bash-completion/completions/spanledger': SCRIPTS.bash,
  'usr/share/zsh/vendor-completions/_spanledger': SCRIPTS.zsh,
  'usr/share/fish/vendor_completions.d/spanledger.fish': SCRIPTS.fish,
});

/**
 * Builds a Debian package of the program, its service, completions and manual page. The service keeps its data in
 * /var/lib/spanledger, which a removal leaves alone.
 * @throws {Error} if dpkg-deb is missing or fails
 */
export function buildDebianPackage(wanted: DebianPackage): void {
  if (Bun.which('dpkg-deb') === null) throw new Error('dpkg-deb is missing: install the package dpkg');
  mkdirSync(dirname(wanted.to), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'spanledger-deb-'));
  try {
    chmodSync(folder, 0o755);
    fill(folder, wanted);
    const { exitCode, stderr } = Bun.spawnSync(
      ['dpkg-deb', '--root-owner-group', `-Z${wanted.compression ?? 'xz'}`, '--build', folder, wanted.to],
      { env: { ...readEnv(), SOURCE_DATE_EPOCH: String(wanted.epoch) } },
    );
    if (exitCode !== 0) throw new Error(`dpkg-deb: ${stderr.toString()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string, { binary, version, architecture }: DebianPackage): void {
  const place = (path: string, content: string | Uint8Array, mode: number): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  for (const [path, content] of Object.entries(filesOf()))
    place(path, content, path === SETTINGS ? 0o640 : 0o644);
  mkdirSync(join(folder, 'usr/bin'));
  copyFileSync(binary, join(folder, 'usr/bin/spanledger'));
  chmodSync(join(folder, 'usr/bin/spanledger'), 0o755);
  for (const script of ['postinst', 'prerm', 'postrm'])
    place(`DEBIAN/${script}`, read(join(here, script)), 0o755);
  place('DEBIAN/conffiles', `/${SETTINGS}\n`, 0o644);
  const kilobytes = Math.ceil(statSync(binary).size / 1024);
  place('DEBIAN/control', control(version, architecture, kilobytes), 0o644);
}

const control = (version: string, architecture: string, kilobytes: number): string => `Package: spanledger
Version: ${version}
Architecture: ${architecture}
Maintainer: The Spanledger authors <spanledger@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), adduser
Section: net
Priority: optional
Description: The books for your LLM calls
 One program on one file that records every call of a language model,
 says what it cost and why, and keeps the books right.
`;
