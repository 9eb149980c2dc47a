import type { Cpu } from './read-system-info.ts';

/** Source: mach/exception_types.h. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'EXC_BAD_ACCESS',
  2: 'EXC_BAD_INSTRUCTION',
  3: 'EXC_ARITHMETIC',
  4: 'EXC_EMULATION',
  5: 'EXC_SOFTWARE',
  6: 'EXC_BREAKPOINT',
  7: 'EXC_SYSCALL',
  8: 'EXC_MACH_SYSCALL',
  9: 'EXC_RPC_ALERT',
  10: 'EXC_CRASH',
  11: 'EXC_RESOURCE',
  12: 'EXC_GUARD',
  1129345912: 'Simulated Exception',
};

/** Codes that every processor has; source: mach/kern_return.h. */
const CODES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  EXC_BAD_ACCESS: {
    1: 'KERN_INVALID_ADDRESS',
    2: 'KERN_PROTECTION_FAILURE',
    5: 'KERN_FAILURE',
    8: 'KERN_NO_ACCESS',
    9: 'KERN_MEMORY_FAILURE',
    10: 'KERN_MEMORY_ERROR',
    50: 'KERN_CODESIGN_ERROR',
  },
  EXC_SOFTWARE: { 65538: 'SIGABRT', 3735929054: 'UNCAUGHT_NS_EXCEPTION' },
};

/** Sources: mach/i386/exception.h, mach/arm/exception.h. */
const X86_CODES: typeof CODES = {
  EXC_BAD_ACCESS: { 13: 'EXC_I386_GPFLT' },
  EXC_BAD_INSTRUCTION: {
    1: 'EXC_I386_INVOP',
    10: 'EXC_I386_INVTSSFLT',
    11: 'EXC_I386_SEGNPFLT',
    12: 'EXC_I386_STKFLT',
    13: 'EXC_I386_GPFLT',
    17: 'EXC_I386_ALIGNFLT',
  },
  EXC_ARITHMETIC: {
    1: 'EXC_I386_DIV',
    2: 'EXC_I386_INTO',
    3: 'EXC_I386_NOEXT',
    4: 'EXC_I386_EXTOVR',
    5: 'EXC_I386_EXTERR',
    6: 'EXC_I386_EMERR',
    7: 'EXC_I386_BOUND',
    8: 'EXC_I386_SSEEXTERR',
  },
  EXC_BREAKPOINT: { 1: 'EXC_I386_SGL', 2: 'EXC_I386_BPT' },
};
const ARM_CODES: typeof CODES = {
  EXC_BAD_ACCESS: { 257: 'EXC_ARM_DA_ALIGN', 258: 'EXC_ARM_DA_DEBUG' },
  EXC_BAD_INSTRUCTION: { 1: 'EXC_ARM_UNDEFINED' },
  EXC_BREAKPOINT: { 1: 'EXC_ARM_BREAKPOINT', 257: 'EXC_ARM_DA_ALIGN', 258: 'EXC_ARM_DA_DEBUG' },
};

/** Why a program of macOS or iOS died: `EXC_BAD_ACCESS / KERN_INVALID_ADDRESS`, in the words of rust-minidump. */
export function macosReason(exception: number, flags: number, cpu: Cpu): string {
  const name = EXCEPTIONS[exception];
  if (name === undefined) return `0x${exception.toString(16)} / 0x${flags.toString(16)}`;
  if (name === 'Simulated Exception') return name;
  const ofCpu = cpu === 'arm' || cpu === 'arm64' ? ARM_CODES : X86_CODES;
  const code = CODES[name]?.[flags] ?? ofCpu[name]?.[flags];
  return `${name} / ${code ?? `0x${flags.toString(16).padStart(8, '0')}`}`;
}
