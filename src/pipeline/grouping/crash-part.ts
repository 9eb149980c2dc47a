import type { ExceptionValue } from '#protocol/event.ts';
import { parameterize } from './parameterize.ts';

/**
 * What tells crashes apart whose frames have no names: how the program died, in which module. Addresses change from run
 * to run. null for exceptions that no dump brought.
 */
export function crashPart(exception: ExceptionValue): string | null {
  const { mechanism, type, value, stacktrace } = exception;
  if (mechanism?.type !== 'minidump' && mechanism?.type !== 'unreal') return null;
  const reason = (type ?? '').replace(ADDRESS, '');
  const module = stacktrace?.frames.at(-1)?.package ?? '';
  const said = (value ?? '').replace(ADDRESS, '');
  const message = said === `Fatal Error: ${reason}` ? '' : parameterize(said);
  return [reason, message, module.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''].join('\n');
}

const ADDRESS = / \/ 0x[0-9a-f]{1,16}$/;
