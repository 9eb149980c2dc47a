import { DumpError, type DumpReader, type Location, readList } from './dump-reader.ts';
import type { Os } from './read-streams.ts';

export type DumpModule = ModuleIds & {
  base: bigint;
  size: number;
  codeFile: string | null;
  /** `10.0.17134.1`; null when the module has none. */
  version: string | null;
};

const MODULE_BYTES = 108;
/** Debug record of one module. */
const RECORD_BYTES_MAX = 4_096;
const VERSION_MAGIC = 0xfeef04bd;
/** Modules of a dump; programs load a few hundred. */
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

/** What names a module's build, for finding its symbols. */
type ModuleIds = {
  /** `3249d99d-0c40-4931-8610-f4e4fb0b6936-1`: the age in hex behind the dash, left out when it is 0. */
  debugId: string | null;
  debugFile: string | null;
  /** Of ELF modules: the build id. */
  codeId: string | null;
};

const NONE: ModuleIds = { debugId: null, debugFile: null, codeId: null };
const PDB_70 = 0x53445352;
const PDB_20 = 0x3031424e;
const ELF = 0x4270454c;
/** Name of the debug file of a module. */
const NAME_BYTES_MAX = 2_048;
/** Build ID of an ELF module. */
const BUILD_ID_BYTES_MAX = 64;

/**
 * Reads the record of a module that says which build it is (CodeView). Nothing in it when it is of no kind that is known.
 * Sources: CV_INFO_PDB70 and CV_INFO_PDB20; MDCVInfoELF in breakpad, minidump_format.h; debug ids as in symbolic-debuginfo.
 */
function readModuleIds(record: Uint8Array): ModuleIds {
  if (record.length < 4) return NONE;
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  switch (view.getUint32(0, true)) {
    case PDB_70:
      return record.length < 24
        ? NONE
        : {
            debugId: debugIdOf(guidOf(view, 4), view.getUint32(20, true)),
            debugFile: nameAt(record, 24),
            codeId: null,
          };
    case PDB_20: {
      if (record.length < 16) return NONE;
      const timestamp = hex(view.getUint32(8, true), 8);
      const age = view.getUint32(12, true).toString(16);
      return { debugId: `${timestamp}-${age}`, debugFile: nameAt(record, 16), codeId: null };
    }
    case ELF:
      return elfIds(record.subarray(4, 4 + BUILD_ID_BYTES_MAX));
    default:
      return NONE;
  }
}

/** The first 16 bytes of a build id, read as Windows reads a GUID; short ones are filled up with zeros. */
function elfIds(buildId: Uint8Array): ModuleIds {
  if (buildId.length === 0 || buildId.every((byte) => byte === 0)) return NONE;
  const padded = new Uint8Array(16);
  padded.set(buildId.subarray(0, 16));
  return {
    debugId: debugIdOf(guidOf(new DataView(padded.buffer), 0), 0),
    debugFile: null,
    codeId: Buffer.from(buildId).toString('hex'),
  };
}

/** null for the id of zeros, which names nothing. */
function debugIdOf(guid: string, age: number): string | null {
  if (/^[0-]+$/.test(guid)) return null;
  return age === 0 ? guid : `${guid}-${age.toString(16)}`;
}

function guidOf(view: DataView, at: number): string {
  const rest = Array.from({ length: 8 }, (_, index) => hex(view.getUint8(at + 8 + index), 2)).join('');
  return [
    hex(view.getUint32(at, true), 8),
    hex(view.getUint16(at + 4, true), 4),
    hex(view.getUint16(at + 6, true), 4),
    rest.slice(0, 4),
    rest.slice(4),
  ].join('-');
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** The text up to the first NUL. */
function nameAt(record: Uint8Array, start: number): string | null {
  const bytes = record.subarray(start, start + NAME_BYTES_MAX);
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8') || null;
}
