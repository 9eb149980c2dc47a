import { cleanText, type DumpReader, type Location } from './dump-reader.ts';

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

const SYSTEM_INFO_BYTES = 32;
/** `Linux 4.9.60-linuxkit #1 SMP Mon Nov 6 16:00:12 UTC 2017 x86_64`: the release and the build. */
const UNAME = /^(?:Linux )?(\d\S*) (#.*?)(?: (?:x86_64|i\d86|aarch64|armv\w+))?$/;

/** Throws DumpError. Source: MINIDUMP_SYSTEM_INFO of minidumpapiset.h; breakpad, minidump_format.h for other systems. */
export async function readSystemInfo(reader: DumpReader, stream: Location): Promise<SystemInfo> {
  const view = await reader.view(stream.offset, SYSTEM_INFO_BYTES);
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

export type MiscInfo = {
  processId: number | null;
  /** Seconds since the epoch. */
  startedAt: number | null;
};

/** Throws DumpError. Source: MINIDUMP_MISC_INFO of minidumpapiset.h. */
export async function readMiscInfo(reader: DumpReader, stream: Location): Promise<MiscInfo> {
  const view = await reader.view(stream.offset, 24);
  const flags = view.getUint32(4, true);
  return {
    processId: flags & 1 ? view.getUint32(8, true) : null,
    startedAt: flags & 2 ? view.getUint32(12, true) || null : null,
  };
}

type BreakpadInfo = {
  /** The thread that wrote the dump: it says nothing of the crash. */
  dumpThreadId: number | null;
  requestingThreadId: number | null;
};

/** Throws DumpError. Source: MDRawBreakpadInfo in breakpad, minidump_format.h. */
export async function readBreakpadInfo(reader: DumpReader, stream: Location): Promise<BreakpadInfo> {
  const view = await reader.view(stream.offset, 12);
  const validity = view.getUint32(0, true);
  return {
    dumpThreadId: validity & 1 ? view.getUint32(4, true) : null,
    requestingThreadId: validity & 2 ? view.getUint32(8, true) : null,
  };
}

const ASSERTION_CHARS = 128;

/** `expression in function at file:line`; null when it says nothing. Throws DumpError. Source: MDRawAssertionInfo in breakpad. */
export async function readAssertion(reader: DumpReader, stream: Location): Promise<string | null> {
  const bytes = await reader.bytes(stream.offset, 3 * 2 * ASSERTION_CHARS + 8);
  const [expression = '', inFunction = '', file = ''] = [0, 1, 2].map((index) =>
    cleanText(
      Buffer.from(bytes.subarray(index * 2 * ASSERTION_CHARS, (index + 1) * 2 * ASSERTION_CHARS)).toString(
        'utf16le',
      ),
    ).trim(),
  );
  const line = new DataView(bytes.buffer, bytes.byteOffset).getUint32(6 * ASSERTION_CHARS, true);
  const where = file === '' ? '' : ` at ${file}${line === 0 ? '' : `:${line}`}`;
  const text = `${expression}${inFunction === '' ? '' : ` in ${inFunction}`}${where}`.trim();
  return text || null;
}

/** Crashpad annotations of one list. */
const ANNOTATIONS_MAX = 200;

/**
 * What the program told Crashpad of itself, key by key. Throws DumpError.
 * Source: crashpad, minidump/minidump_extensions.h (MinidumpCrashpadInfo, MinidumpSimpleStringDictionary).
 */
export async function readCrashpadAnnotations(
  reader: DumpReader,
  stream: Location,
): Promise<Record<string, string>> {
  const info = await reader.view(stream.offset, 44);
  const at = info.getUint32(40, true);
  if (info.getUint32(36, true) < 4 || at === 0) return {};
  const count = Math.min((await reader.view(at, 4)).getUint32(0, true), ANNOTATIONS_MAX);
  const entries = await reader.view(at + 4, count * 8);
  const annotations: [string, string][] = [];
  for (let index = 0; index < count; index++) {
    const key = await reader.utf8(entries.getUint32(index * 8, true));
    const value = await reader.utf8(entries.getUint32(index * 8 + 4, true));
    if (key && value !== null && key !== '__proto__') annotations.push([key, value]);
  }
  return Object.fromEntries(annotations);
}
