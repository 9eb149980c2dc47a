import { DumpError, type DumpReader, type Location, readList } from './dump-reader.ts';
import type { Cpu } from './read-streams.ts';

export type DumpThread = {
  id: number;
  name: string | null;
  /** null when it is missing or broken. */
  context: CpuContext | null;
  /** null when it was not captured. */
  stack: StackMemory | null;
};

/** The memory of a thread's stack, as far as it was captured: its lowest address, and where it lies in the dump. */
export type StackMemory = Location & { base: bigint };

const THREAD_BYTES = 48;
const NAME_BYTES = 12;
/** Threads of a dump that are stored, as many as an event may have. */
const DUMP_THREADS_MAX = 1_000;
/** Threads scanned to find the one that crashed. */
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
      stack: readStack(view),
    });
  }
  return threads;
}

function readStack(thread: DataView): StackMemory | null {
  const offset = thread.getUint32(36, true);
  const size = thread.getUint32(32, true);
  return offset === 0 || size === 0 ? null : { base: thread.getBigUint64(24, true), offset, size };
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

/** Registers of a thread, by their names. */
export type CpuContext = {
  instructionPointer: bigint;
  registers: Readonly<Record<string, bigint>>;
};

type Layout = {
  bytes: 4 | 8;
  /** The least that a context of this processor has. */
  size: number;
  instructionPointer: string;
  /** Offset of each register. */
  registers: Readonly<Record<string, number>>;
};

const sequence = (names: readonly string[], start: number, bytes: number): Record<string, number> =>
  Object.fromEntries(names.map((name, index) => [name, start + index * bytes]));

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Sources: CONTEXT of winnt.h for x86, AMD64 and ARM64; breakpad, minidump_cpu_arm.h and minidump_cpu_arm64.h. */
const LAYOUTS: Readonly<Record<Exclude<Cpu, 'other'>, Layout>> = {
  x86: {
    bytes: 4,
    size: 204,
    instructionPointer: 'eip',
    registers: {
      ...sequence(['edi', 'esi', 'ebx', 'edx', 'ecx', 'eax', 'ebp', 'eip'], 156, 4),
      eflags: 192,
      esp: 196,
    },
  },
  x86_64: {
    bytes: 8,
    size: 256,
    instructionPointer: 'rip',
    registers: {
      ...sequence(['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi'], 120, 8),
      ...sequence(['r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15', 'rip'], 184, 8),
    },
  },
  arm: {
    bytes: 4,
    size: 72,
    instructionPointer: 'pc',
    registers: sequence([...numbered('r', 13), 'sp', 'lr', 'pc'], 4, 4),
  },
  // Both layouts of arm64 have these where they are.
  arm64: {
    bytes: 8,
    size: 272,
    instructionPointer: 'pc',
    registers: sequence([...numbered('x', 29), 'fp', 'lr', 'sp', 'pc'], 8, 8),
  },
};

/** How much of a thread's context is read. */
const contextBytes = (cpu: Cpu): number => (cpu === 'other' ? 0 : LAYOUTS[cpu].size);

/** null for processors that are not known, and for contexts that are too short. */
function readCpuContext(cpu: Cpu, view: DataView): CpuContext | null {
  if (cpu === 'other' || view.byteLength < LAYOUTS[cpu].size) return null;
  const { bytes, instructionPointer, registers } = LAYOUTS[cpu];
  const read = (at: number): bigint =>
    bytes === 4 ? BigInt(view.getUint32(at, true)) : view.getBigUint64(at, true);
  const values = Object.fromEntries(Object.entries(registers).map(([name, at]) => [name, read(at)]));
  return { instructionPointer: values[instructionPointer] ?? 0n, registers: values };
}

/** Which registers lead along the stack; `link` holds the return address of the innermost call. */
export const STACK_REGISTERS: Readonly<
  Record<Exclude<Cpu, 'other'>, { pointer: string; frame: string; link: string | null }>
> = {
  x86: { pointer: 'esp', frame: 'ebp', link: null },
  x86_64: { pointer: 'rsp', frame: 'rbp', link: null },
  // Of Thumb code r7; which it is only symbols tell.
  arm: { pointer: 'sp', frame: 'r11', link: 'lr' },
  arm64: { pointer: 'sp', frame: 'fp', link: 'lr' },
};

export const wordBytes = (cpu: Exclude<Cpu, 'other'>): 4 | 8 => LAYOUTS[cpu].bytes;

export const isWide = (cpu: Cpu): boolean => cpu === 'x86_64' || cpu === 'arm64';
