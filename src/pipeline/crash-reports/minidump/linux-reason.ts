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
export function linuxReason(signal: number, flags: number): string {
  if (signal === DUMP_REQUESTED) return 'DUMP_REQUESTED';
  const name = SIGNALS[signal - 1] ?? `signal ${signal}`;
  const code = flags | 0;
  // Writers that do not know the code leave it empty.
  if (code === 0) return name;
  const detail =
    KINDS[name]?.[code - 1] ?? SENDERS[code] ?? `0x${(flags >>> 0).toString(16).padStart(8, '0')}`;
  return `${name} / ${detail}`;
}
