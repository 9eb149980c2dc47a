import { type CpuContext, contextBytes, readCpuContext } from './cpu-context.ts';
import { DumpError, type DumpReader, type Location, readList } from './dump-reader.ts';
import type { Cpu } from './read-system-info.ts';

export type DumpThread = {
  id: number;
  name: string | null;
  /** null when it is missing or broken. */
  context: CpuContext | null;
};

const THREAD_BYTES = 48;
const NAME_BYTES = 12;
/** As many as an event may have. */
export const DUMP_THREADS_MAX = 1_000;
/** Threads that are looked at, to find the one that crashed behind those that are kept. */
const THREADS_SCANNED_MAX = 20_000;

/**
 * Reads the threads of a dump, at most 1,000 of them and `wanted` always among them. Throws DumpError.
 * Source: MINIDUMP_THREAD and MINIDUMP_THREAD_NAME of minidumpapiset.h.
 */
export async function readThreads(
  reader: DumpReader,
  stream: Location,
  names: Location | null,
  cpu: Cpu,
  wanted: number | null,
): Promise<DumpThread[]> {
  const { offset, count } = await readList(reader, stream, THREAD_BYTES, THREADS_SCANNED_MAX);
  const nameOf = names === null ? new Map<number, number>() : await readNames(reader, names);
  const threads: DumpThread[] = [];
  for (let index = 0; index < count; index++) {
    const view = await reader.view(offset + index * THREAD_BYTES, THREAD_BYTES);
    const id = view.getUint32(0, true);
    const isLast = threads.length >= DUMP_THREADS_MAX - 1;
    if (isLast && id !== wanted && (index < count - 1 || threads.length >= DUMP_THREADS_MAX)) continue;
    const context = { size: view.getUint32(40, true), offset: view.getUint32(44, true) };
    threads.push({
      id,
      name: await reader.utf16(nameOf.get(id) ?? 0),
      context: await readContext(reader, context, cpu),
    });
  }
  return threads;
}

/** null when it is missing or broken. */
export async function readContext(
  reader: DumpReader,
  { offset, size }: Location,
  cpu: Cpu,
): Promise<CpuContext | null> {
  if (offset === 0 || size < contextBytes(cpu)) return null;
  try {
    return readCpuContext(cpu, await reader.view(offset, contextBytes(cpu)));
  } catch (error) {
    if (error instanceof DumpError) return null;
    throw error;
  }
}

/** Thread id → where its name lies. */
async function readNames(reader: DumpReader, stream: Location): Promise<Map<number, number>> {
  const names = new Map<number, number>();
  try {
    const { offset, count } = await readList(reader, stream, NAME_BYTES, THREADS_SCANNED_MAX);
    for (let index = 0; index < count; index++) {
      const view = await reader.view(offset + index * NAME_BYTES, NAME_BYTES);
      const at = view.getBigUint64(4, true);
      if (at < BigInt(reader.size)) names.set(view.getUint32(0, true), Number(at));
    }
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
  }
  return names;
}
