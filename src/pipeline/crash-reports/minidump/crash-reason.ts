import type { DumpReader, Location } from './dump-reader.ts';
import type { Cpu, SystemInfo } from './read-streams.ts';
import { isWide } from './read-threads.ts';

export type DumpException = {
  threadId: number;
  /** In the words that Sentry shows: `EXCEPTION_ACCESS_VIOLATION_READ`, `SIGSEGV / SEGV_MAPERR` … */
  reason: string;
  /** What was reached for, or where the instruction lay. */
  address: bigint;
  /** Where the registers at the time of the crash lie. */
  context: Location;
};

const EXCEPTION_BYTES = 168;
/** Parameters of an exception record, as the format defines. */
const PARAMETERS_MAX = 15;

/** Throws DumpError. Source: MINIDUMP_EXCEPTION_STREAM of minidumpapiset.h. */
export async function readException(
  reader: DumpReader,
  stream: Location,
  system: SystemInfo,
): Promise<DumpException> {
  const view = await reader.view(stream.offset, EXCEPTION_BYTES);
  const code = view.getUint32(8, true);
  const flags = view.getUint32(12, true);
  const count = Math.min(view.getUint32(32, true), PARAMETERS_MAX);
  const parameters = Array.from({ length: count }, (_, index) => view.getBigUint64(40 + index * 8, true));
  const address =
    (system.os === 'windows' ? windowsAddress(code, parameters) : null) ?? view.getBigUint64(24, true);
  return {
    threadId: view.getUint32(0, true),
    reason: reasonOf(code, flags, parameters, system),
    // Some writers fill addresses of 32 bits up with their sign.
    address: isWide(system.cpu) || system.cpu === 'other' ? address : BigInt.asUintN(32, address),
    context: { size: view.getUint32(160, true), offset: view.getUint32(164, true) },
  };
}

function reasonOf(
  code: number,
  flags: number,
  parameters: readonly bigint[],
  { os, cpu }: SystemInfo,
): string {
  switch (os) {
    case 'windows':
      return windowsReason(code, parameters);
    case 'linux':
    case 'android':
      return linuxReason(code, flags);
    case 'macos':
    case 'ios':
      return macosReason(code, flags, cpu);
    default:
      return `0x${code.toString(16).padStart(8, '0')} / 0x${flags.toString(16).padStart(8, '0')}`;
  }
}

/** Source: winnt.h and ntstatus.h; Crashpad for the codes of its own. */
const WINDOWS_CODES: Readonly<Record<number, string>> = {
  1073741845: 'STATUS_FATAL_APP_EXIT',
  1073807365: 'DBG_CONTROL_C',
  2147483649: 'EXCEPTION_GUARD_PAGE',
  2147483650: 'EXCEPTION_DATATYPE_MISALIGNMENT',
  2147483651: 'EXCEPTION_BREAKPOINT',
  2147483652: 'EXCEPTION_SINGLE_STEP',
  3221225477: 'EXCEPTION_ACCESS_VIOLATION',
  3221225478: 'EXCEPTION_IN_PAGE_ERROR',
  3221225480: 'EXCEPTION_INVALID_HANDLE',
  3221225495: 'STATUS_NO_MEMORY',
  3221225501: 'EXCEPTION_ILLEGAL_INSTRUCTION',
  3221225509: 'EXCEPTION_NONCONTINUABLE_EXCEPTION',
  3221225510: 'EXCEPTION_INVALID_DISPOSITION',
  3221225612: 'EXCEPTION_ARRAY_BOUNDS_EXCEEDED',
  3221225613: 'EXCEPTION_FLT_DENORMAL_OPERAND',
  3221225614: 'EXCEPTION_FLT_DIVIDE_BY_ZERO',
  3221225615: 'EXCEPTION_FLT_INEXACT_RESULT',
  3221225616: 'EXCEPTION_FLT_INVALID_OPERATION',
  3221225617: 'EXCEPTION_FLT_OVERFLOW',
  3221225618: 'EXCEPTION_FLT_STACK_CHECK',
  3221225619: 'EXCEPTION_FLT_UNDERFLOW',
  3221225620: 'EXCEPTION_INT_DIVIDE_BY_ZERO',
  3221225621: 'EXCEPTION_INT_OVERFLOW',
  3221225622: 'EXCEPTION_PRIV_INSTRUCTION',
  3221225725: 'EXCEPTION_STACK_OVERFLOW',
  3221225781: 'STATUS_DLL_NOT_FOUND',
  3221225784: 'STATUS_ORDINAL_NOT_FOUND',
  3221225785: 'STATUS_ENTRYPOINT_NOT_FOUND',
  3221225786: 'STATUS_CONTROL_C_EXIT',
  3221225794: 'STATUS_DLL_INIT_FAILED',
  3221225876: 'EXCEPTION_POSSIBLE_DEADLOCK',
  3221226356: 'STATUS_HEAP_CORRUPTION',
  3221226505: 'EXCEPTION_STACK_BUFFER_OVERRUN',
  3221226519: 'STATUS_INVALID_CRUNTIME_PARAMETER',
  3221226528: 'STATUS_ASSERTION_FAILURE',
  3221227010: 'STATUS_FAIL_FAST_EXCEPTION',
  3228369022: 'ERROR_MOD_NOT_FOUND',
  3228369023: 'ERROR_PROC_NOT_FOUND',
  3758096392: 'Out of Memory',
  3765269347: 'Unhandled C++ Exception',
  85436397: 'Simulated Exception',
};

/** What was done to the address, as the first parameter of the exception says. */
const ACCESS: Readonly<Record<string, string>> = { 0: 'READ', 1: 'WRITE', 8: 'EXEC' };

const FAST_FAILS: readonly string[] = [
  ...['LEGACY_GS_VIOLATION', 'VTGUARD_CHECK_FAILURE', 'STACK_COOKIE_CHECK_FAILURE', 'CORRUPT_LIST_ENTRY'],
  ...['INCORRECT_STACK', 'INVALID_ARG', 'GS_COOKIE_INIT', 'FATAL_APP_EXIT', 'RANGE_CHECK_FAILURE'],
  ...['UNSAFE_REGISTRY_ACCESS', 'GUARD_ICALL_CHECK_FAILURE', 'GUARD_WRITE_CHECK_FAILURE'],
  ...['INVALID_FIBER_SWITCH', 'INVALID_SET_OF_CONTEXT', 'INVALID_REFERENCE_COUNT'],
];

const ACCESS_VIOLATION = 0xc0000005;
const IN_PAGE_ERROR = 0xc0000006;
const STACK_BUFFER_OVERRUN = 0xc0000409;

/** Why a program of Windows died, in the words of rust-minidump, which Sentry shows. */
function windowsReason(code: number, parameters: readonly bigint[]): string {
  const name = WINDOWS_CODES[code] ?? `0x${code.toString(16).padStart(8, '0')}`;
  const [first] = parameters;
  if (code === ACCESS_VIOLATION || code === IN_PAGE_ERROR) {
    const access = first === undefined ? undefined : ACCESS[String(first)];
    const kind = access === undefined ? name : `${name}_${access}`;
    const status = parameters[2];
    return code === IN_PAGE_ERROR && access !== undefined && status !== undefined
      ? `${kind} / 0x${BigInt.asUintN(32, status).toString(16).padStart(8, '0')}`
      : kind;
  }
  if (code === STACK_BUFFER_OVERRUN && first !== undefined) {
    const failure = first < BigInt(FAST_FAILS.length) ? `FAST_FAIL_${FAST_FAILS[Number(first)]}` : `${first}`;
    return `${name} / ${failure}`;
  }
  return name;
}

/** Of bad accesses the address is not where the instruction lay, but what it reached for. */
const windowsAddress = (code: number, parameters: readonly bigint[]): bigint | null =>
  code === ACCESS_VIOLATION || code === IN_PAGE_ERROR ? (parameters[1] ?? null) : null;

/** From 1 on; source: asm-generic/signal.h. */
const SIGNALS: readonly string[] = [
  ...[
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGILL',
    'SIGTRAP',
    'SIGABRT',
    'SIGBUS',
    'SIGFPE',
    'SIGKILL',
    'SIGUSR1',
  ],
  ...['SIGSEGV', 'SIGUSR2', 'SIGPIPE', 'SIGALRM', 'SIGTERM', 'SIGSTKFLT', 'SIGCHLD', 'SIGCONT', 'SIGSTOP'],
  ...['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGXCPU', 'SIGXFSZ', 'SIGVTALRM', 'SIGPROF', 'SIGWINCH'],
  ...['SIGIO', 'SIGPWR', 'SIGSYS'],
];

/** What the kernel says beside the signal, from 1 on; source: asm-generic/siginfo.h. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  SIGILL: [
    ...['ILL_ILLOPC', 'ILL_ILLOPN', 'ILL_ILLADR', 'ILL_ILLTRP', 'ILL_PRVOPC', 'ILL_PRVREG', 'ILL_COPROC'],
    ...['ILL_BADSTK', 'ILL_BADIADDR'],
  ],
  SIGTRAP: ['TRAP_BRKPT', 'TRAP_TRACE', 'TRAP_BRANCH', 'TRAP_HWBKPT', 'TRAP_UNK', 'TRAP_PERF'],
  SIGFPE: [
    ...['FPE_INTDIV', 'FPE_INTOVF', 'FPE_FLTDIV', 'FPE_FLTOVF', 'FPE_FLTUND', 'FPE_FLTRES', 'FPE_FLTINV'],
    'FPE_FLTSUB',
  ],
  SIGSEGV: [
    ...['SEGV_MAPERR', 'SEGV_ACCERR', 'SEGV_BNDERR', 'SEGV_PKUERR', 'SEGV_ACCADI', 'SEGV_ADIDERR'],
    ...['SEGV_ADIPERR', 'SEGV_MTEAERR', 'SEGV_MTESERR'],
  ],
  SIGBUS: ['BUS_ADRALN', 'BUS_ADRERR', 'BUS_OBJERR', 'BUS_MCEERR_AR', 'BUS_MCEERR_AO'],
  SIGSYS: ['SYS_SECCOMP', 'SYS_USER_DISPATCH'],
};

/** Who sent the signal. */
const SENDERS: Readonly<Record<number, string>> = {
  128: 'SI_KERNEL',
  [-1]: 'SI_QUEUE',
  [-2]: 'SI_TIMER',
  [-3]: 'SI_MESGQ',
  [-4]: 'SI_ASYNCIO',
  [-5]: 'SI_SIGIO',
  [-6]: 'SI_TKILL',
  [-7]: 'SI_DETHREAD',
  [-60]: 'SI_ASYNCNL',
};

const DUMP_REQUESTED = 0xffffffff;

/** Why a program of Linux or Android died: `SIGSEGV / SEGV_MAPERR`, in the words of rust-minidump. */
function linuxReason(signal: number, flags: number): string {
  if (signal === DUMP_REQUESTED) return 'DUMP_REQUESTED';
  const name = SIGNALS[signal - 1] ?? `signal ${signal}`;
  const code = flags | 0;
  // Writers that do not know the code leave it empty.
  if (code === 0) return name;
  const detail =
    KINDS[name]?.[code - 1] ?? SENDERS[code] ?? `0x${(flags >>> 0).toString(16).padStart(8, '0')}`;
  return `${name} / ${detail}`;
}

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
const MACOS_CODES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
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
const X86_CODES: typeof MACOS_CODES = {
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
const ARM_CODES: typeof MACOS_CODES = {
  EXC_BAD_ACCESS: { 257: 'EXC_ARM_DA_ALIGN', 258: 'EXC_ARM_DA_DEBUG' },
  EXC_BAD_INSTRUCTION: { 1: 'EXC_ARM_UNDEFINED' },
  EXC_BREAKPOINT: { 1: 'EXC_ARM_BREAKPOINT', 257: 'EXC_ARM_DA_ALIGN', 258: 'EXC_ARM_DA_DEBUG' },
};

/** Why a program of macOS or iOS died: `EXC_BAD_ACCESS / KERN_INVALID_ADDRESS`, in the words of rust-minidump. */
function macosReason(exception: number, flags: number, cpu: Cpu): string {
  const name = EXCEPTIONS[exception];
  if (name === undefined) return `0x${exception.toString(16)} / 0x${flags.toString(16)}`;
  if (name === 'Simulated Exception') return name;
  const ofCpu = cpu === 'arm' || cpu === 'arm64' ? ARM_CODES : X86_CODES;
  const code = MACOS_CODES[name]?.[flags] ?? ofCpu[name]?.[flags];
  return `${name} / ${code ?? `0x${flags.toString(16).padStart(8, '0')}`}`;
}
