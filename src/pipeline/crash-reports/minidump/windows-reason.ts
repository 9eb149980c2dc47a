/** Source: winnt.h and ntstatus.h; Crashpad for the codes of its own. */
const CODES: Readonly<Record<number, string>> = {
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
export function windowsReason(code: number, parameters: readonly bigint[]): string {
  const name = CODES[code] ?? `0x${code.toString(16).padStart(8, '0')}`;
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
export const windowsAddress = (code: number, parameters: readonly bigint[]): bigint | null =>
  code === ACCESS_VIOLATION || code === IN_PAGE_ERROR ? (parameters[1] ?? null) : null;
