import { type ModuleIds, readModuleIds } from './debug-id.ts';
import { DumpError, type DumpReader } from './dump-reader.ts';
import type { Location } from './read-directory.ts';
import { readList } from './read-list.ts';
import type { Os } from './read-system-info.ts';

export type DumpModule = ModuleIds & {
  base: bigint;
  size: number;
  codeFile: string | null;
  /** `10.0.17134.1`; null when the module has none. */
  version: string | null;
};

const MODULE_BYTES = 108;
const RECORD_BYTES_MAX = 4_096;
const VERSION_MAGIC = 0xfeef04bd;
/** Programs load a few hundred. */
export const DUMP_MODULES_MAX = 2_000;

/** Throws DumpError. Source: MINIDUMP_MODULE of minidumpapiset.h. */
export async function readModules(reader: DumpReader, stream: Location, os: Os): Promise<DumpModule[]> {
  const { offset, count } = await readList(reader, stream, MODULE_BYTES, DUMP_MODULES_MAX);
  const modules: DumpModule[] = [];
  for (let index = 0; index < count; index++) {
    const view = await reader.view(offset + index * MODULE_BYTES, MODULE_BYTES);
    const ids = await readIds(reader, { size: view.getUint32(76, true), offset: view.getUint32(80, true) });
    const size = view.getUint32(8, true);
    const codeFile = (await reader.utf16(view.getUint32(20, true))) || null;
    modules.push({
      ...ids,
      // ELF modules have their symbols, or lost them: there is no second name.
      debugFile: ids.debugFile ?? (os === 'linux' || os === 'android' ? codeFile : null),
      codeId: ids.codeId ?? codeIdOf(os, view.getUint32(16, true), size, ids.debugId),
      base: view.getBigUint64(0, true),
      size,
      codeFile,
      version: versionOf(view),
    });
  }
  return modules;
}

async function readIds(reader: DumpReader, { offset, size }: Location): Promise<ModuleIds> {
  try {
    return readModuleIds(offset === 0 ? EMPTY : await reader.bytes(offset, Math.min(size, RECORD_BYTES_MAX)));
  } catch (error) {
    if (error instanceof DumpError) return readModuleIds(EMPTY);
    throw error;
  }
}

const EMPTY = new Uint8Array();

/** Windows names a build by when it was linked and its size; macOS by the same id as its symbols. */
function codeIdOf(os: Os, linkedAt: number, size: number, debugId: string | null): string | null {
  if (os === 'windows') {
    return linkedAt === 0 ? null : `${linkedAt.toString(16).padStart(8, '0')}${size.toString(16)}`;
  }
  return os === 'macos' || os === 'ios' ? (debugId?.slice(0, 36).replaceAll('-', '') ?? null) : null;
}

function versionOf(view: DataView): string | null {
  if (view.getUint32(24, true) !== VERSION_MAGIC) return null;
  const high = view.getUint32(32, true);
  const low = view.getUint32(36, true);
  return high === 0 && low === 0 ? null : [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].join('.');
}
