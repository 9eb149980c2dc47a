import { cleanText, type DumpReader, type Location } from './dump-reader.ts';

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

export type BreakpadInfo = {
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
