import type { DumpReader, Location } from './dump-reader.ts';

export type Os = 'windows' | 'macos' | 'ios' | 'linux' | 'android' | 'other';
export type Cpu = 'x86' | 'x86_64' | 'arm' | 'arm64' | 'other';

export type SystemInfo = {
  os: Os;
  /** For people: `Windows`, `macOS`, `Linux` … */
  osName: string;
  /** `10.0.17134`; null when the dump does not say. */
  osVersion: string | null;
  /** What the system calls itself: a service pack, the line of `uname`, the build of macOS. */
  osBuild: string | null;
  cpu: Cpu;
  /** As Sentry names it: `x86`, `x86_64`, `arm`, `arm64`, `ppc` …; null when unknown. */
  arch: string | null;
  processors: number;
};

const SYSTEMS: Readonly<Record<number, readonly [os: Os, name: string]>> = {
  0: ['windows', 'Windows'],
  1: ['windows', 'Windows'],
  2: ['windows', 'Windows'],
  3: ['windows', 'Windows CE'],
  32768: ['other', 'Unix'],
  33025: ['macos', 'macOS'],
  33026: ['ios', 'iOS'],
  33281: ['linux', 'Linux'],
  33282: ['other', 'Solaris'],
  33283: ['android', 'Android'],
  33284: ['other', 'PlayStation 3'],
  33285: ['other', 'NaCl'],
  33286: ['other', 'Fuchsia'],
};

const PROCESSORS: Readonly<Record<number, readonly [cpu: Cpu, arch: string]>> = {
  0: ['x86', 'x86'],
  1: ['other', 'mips'],
  3: ['other', 'ppc'],
  5: ['arm', 'arm'],
  9: ['x86_64', 'x86_64'],
  10: ['x86', 'x86'],
  12: ['arm64', 'arm64'],
  32769: ['other', 'sparc'],
  32770: ['other', 'ppc64'],
  32771: ['arm64', 'arm64'],
  32772: ['other', 'mips64'],
};

const BYTES = 32;
/** `Linux 4.9.60-linuxkit #1 SMP Mon Nov 6 16:00:12 UTC 2017 x86_64`: the release and the build. */
const UNAME = /^(?:Linux )?(\d\S*) (#.*?)(?: (?:x86_64|i\d86|aarch64|armv\w+))?$/;

/** Throws DumpError. Source: MINIDUMP_SYSTEM_INFO of minidumpapiset.h; breakpad, minidump_format.h for other systems. */
export async function readSystemInfo(reader: DumpReader, stream: Location): Promise<SystemInfo> {
  const view = await reader.view(stream.offset, BYTES);
  const [os, osName] = SYSTEMS[view.getUint32(20, true)] ?? ['other', 'unknown'];
  const [cpu, arch] = PROCESSORS[view.getUint16(0, true)] ?? ['other', null];
  const numbers = [8, 12, 16].map((at) => view.getUint32(at, true));
  const text = (await reader.utf16(view.getUint32(24, true)))?.trim() || null;
  const kernel = os === 'linux' || os === 'android' ? UNAME.exec(text ?? '') : null;
  // Systems that are no Windows may leave the numbers empty; the text tells them.
  const told = kernel?.[1] ?? /(\d+(?:\.\d+){1,3})/.exec(text ?? '')?.[1] ?? null;
  return {
    os,
    osName,
    osVersion: kernel === null && numbers.some((number) => number > 0) ? numbers.join('.') : told,
    osBuild: kernel?.[2] ?? text,
    cpu,
    arch,
    processors: view.getUint8(6),
  };
}
