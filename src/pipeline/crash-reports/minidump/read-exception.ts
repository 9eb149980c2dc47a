import { isWide } from './cpu-context.ts';
import { linuxReason, macosReason, windowsAddress, windowsReason } from './crash-reason.ts';
import type { DumpReader, Location } from './dump-reader.ts';
import type { SystemInfo } from './read-system-info.ts';

export type DumpException = {
  threadId: number;
  /** In the words that Sentry shows: `EXCEPTION_ACCESS_VIOLATION_READ`, `SIGSEGV / SEGV_MAPERR` … */
  reason: string;
  /** What was reached for, or where the instruction lay. */
  address: bigint;
  /** Where the registers at the time of the crash lie. */
  context: Location;
};

const BYTES = 168;
const PARAMETERS_MAX = 15;

/** Throws DumpError. Source: MINIDUMP_EXCEPTION_STREAM of minidumpapiset.h. */
export async function readException(
  reader: DumpReader,
  stream: Location,
  system: SystemInfo,
): Promise<DumpException> {
  const view = await reader.view(stream.offset, BYTES);
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
