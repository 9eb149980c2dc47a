import type { Cpu } from './read-system-info.ts';

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
export const contextBytes = (cpu: Cpu): number => (cpu === 'other' ? 0 : LAYOUTS[cpu].size);

/** null for processors that are not known, and for contexts that are too short. */
export function readCpuContext(cpu: Cpu, view: DataView): CpuContext | null {
  if (cpu === 'other' || view.byteLength < LAYOUTS[cpu].size) return null;
  const { bytes, instructionPointer, registers } = LAYOUTS[cpu];
  const read = (at: number): bigint =>
    bytes === 4 ? BigInt(view.getUint32(at, true)) : view.getBigUint64(at, true);
  const values = Object.fromEntries(Object.entries(registers).map(([name, at]) => [name, read(at)]));
  return { instructionPointer: values[instructionPointer] ?? 0n, registers: values };
}

export const isWide = (cpu: Cpu): boolean => cpu === 'x86_64' || cpu === 'arm64';
