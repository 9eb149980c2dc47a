import { invalid } from '#lib/errors.ts';
import { toNativeDebugId } from '#pipeline/symbolicate/native/native-images.ts';
import { readSymbolsHead } from '#pipeline/symbolicate/native/parse-breakpad.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import type { DeobfuscationFile } from './artifact.ts';
import { SYMBOL_FILE_BYTES_MAX } from './upload-limits.ts';

/** What is uploaded in place of a symbol file, and what to do instead. */
export const ONLY_TEXT_SYMBOLS =
  'ELF, Mach-O, PDB and other binary files cannot be read: convert them with dump_syms, and upload the .sym files';

const HEAD_BYTES = 4_096;

/** Whether a file is one of Breakpad's by its name. */
export const looksLikeSymbols = (name: string): boolean => name.toLowerCase().endsWith('.sym');

/** What a symbol file is of, by its first line. `debugId`: as the client names it, null for none. Throws Invalid. */
export async function checkSymbols(
  reader: ArtifactFileReader,
  { name, debugId }: { name: string; debugId: string | null },
): Promise<Pick<DeobfuscationFile, 'kind' | 'bytes' | 'debugId' | 'arch'>> {
  const shown = name.slice(0, 200);
  if (reader.bytes > SYMBOL_FILE_BYTES_MAX) {
    throw invalid(
      `"${shown}" has ${reader.bytes} bytes: a symbol file can have at most ${SYMBOL_FILE_BYTES_MAX}`,
    );
  }
  const head = readSymbolsHead(await reader.read(0, Math.min(reader.bytes, HEAD_BYTES)));
  if (!head) throw invalid(`"${shown}" is not a Breakpad symbol file: its first line must begin with MODULE`);
  const named = toNativeDebugId(debugId);
  if (named !== null && named !== head.debugId) {
    throw invalid(`"${shown}" is of ${head.debugId}, but was uploaded as ${named}: upload it again`);
  }
  return { kind: 'breakpad', bytes: reader.bytes, debugId: head.debugId, arch: head.arch };
}
