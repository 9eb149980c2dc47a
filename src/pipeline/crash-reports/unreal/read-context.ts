import { XMLParser } from 'fast-xml-parser';
import { isSource } from '#pipeline/normalize/field-reader.ts';

/** What Unreal writes of a crash, as text under its own names. */
export type UnrealContext = {
  runtime: Readonly<Record<string, string>>;
  platform: Readonly<Record<string, string>>;
  engine: Readonly<Record<string, string>>;
  game: Readonly<Record<string, string>>;
};

/** Fields of one section of the context file. */
const FIELDS_MAX = 1_000;
/** Text of one field of the context file. */
const TEXT_CHARS_MAX = 65_536;

/**
 * Reads `CrashContext.runtime-xml`; null when it is no XML. Entities beyond the five of XML are left as they stand, and no
 * document type is read. Source: symbolic-unreal/src/context.rs.
 */
export function readUnrealContext(xml: Uint8Array): UnrealContext | null {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('utf8');
  if (/<!DOCTYPE/i.test(text)) return null;
  try {
    const parsed: unknown = PARSER.parse(text.replace(/^\ufeff/, ''));
    const root = isSource(parsed) ? Object.entries(parsed).find(([name]) => name !== '?xml')?.[1] : null;
    if (!isSource(root)) return null;
    return {
      runtime: textsOf(root.RuntimeProperties),
      platform: textsOf(root.PlatformProperties),
      engine: textsOf(root.EngineData),
      game: textsOf(root.GameData),
    };
  } catch {
    return null;
  }
}

const PARSER = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
  trimValues: true,
});

/** The elements that hold text; of equal names the first. */
function textsOf(parent: unknown): Record<string, string> {
  const texts: [string, string][] = [];
  if (!isSource(parent)) return {};
  for (const [name, value] of Object.entries(parent)) {
    if (texts.length >= FIELDS_MAX) break;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string' && first !== '' && name !== '__proto__') {
      texts.push([name, decodeEntities(first).slice(0, TEXT_CHARS_MAX).toWellFormed()]);
    }
  }
  return Object.fromEntries(texts);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities of XML and characters by their number; each is replaced once. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

type Kind = 'text' | 'number' | 'boolean';

/** Elements of `RuntimeProperties`, and what they are called in `contexts.unreal`. Source: symbolic-unreal/src/context.rs. */
const PROPERTIES: Readonly<Record<string, readonly [name: string, kind: Kind]>> = {
  AppDefaultLocale: ['app_default_locale', 'text'],
  BaseDir: ['base_dir', 'text'],
  BuildConfiguration: ['build_configuration', 'text'],
  BuildVersion: ['build_version', 'text'],
  CallStack: ['legacy_call_stack', 'text'],
  CrashGUID: ['crash_guid', 'text'],
  CrashReportClientVersion: ['crash_reporter_client_version', 'text'],
  CrashReporterMessage: ['crash_reporter_message', 'text'],
  CrashType: ['crash_type', 'text'],
  EngineMode: ['engine_mode', 'text'],
  EngineVersion: ['engine_version', 'text'],
  EpicAccountId: ['epic_account_id', 'text'],
  ExecutableName: ['executable_name', 'text'],
  GameName: ['game_name', 'text'],
  GameStateName: ['game_state_name', 'text'],
  IsAssert: ['is_assert', 'boolean'],
  IsEnsure: ['is_ensure', 'boolean'],
  IsInternalBuild: ['is_internal_build', 'boolean'],
  IsSourceDistribution: ['is_source_distribution', 'boolean'],
  IsUE4Release: ['is_ue4_release', 'boolean'],
  LanguageLCID: ['language_lcid', 'number'],
  LoginId: ['login_id', 'text'],
  MachineId: ['machine_id', 'text'],
  'MemoryStats.PageSize': ['memory_stats_page_size', 'number'],
  'MemoryStats.TotalPhysicalGB': ['memory_stats_total_physical_gb', 'number'],
  'MemoryStats.TotalVirtual': ['memory_stats_total_virtual', 'number'],
  'Misc.CPUBrand': ['misc_cpu_brand', 'text'],
  'Misc.CPUVendor': ['misc_cpu_vendor', 'text'],
  'Misc.Is64bitOperatingSystem': ['misc_is_64bit', 'boolean'],
  'Misc.NumberOfCores': ['misc_number_of_cores', 'number'],
  'Misc.NumberOfCoresIncludingHyperthreads': ['misc_number_of_cores_inc_hyperthread', 'number'],
  'Misc.OSVersionMinor': ['misc_os_version_minor', 'text'],
  PCallStack: ['portable_call_stack', 'text'],
  PlatformName: ['platform_name', 'text'],
  ProcessId: ['process_id', 'number'],
  RootDir: ['root_dir', 'text'],
  SecondsSinceStart: ['seconds_since_start', 'number'],
  TimeOfCrash: ['time_of_crash', 'text'],
  bAllowToBeContacted: ['allowed_to_be_contacted', 'boolean'],
};

/** Told elsewhere in the event, or by the dump. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['ErrorMessage', 'MemoryStats.TotalPhysical', 'Misc.OSVersionMajor', 'Misc.PrimaryGPUBrand'],
  ...['Modules', 'UserDescription', 'UserName'],
]);

/** `contexts.unreal`: what is known under its name, the rest under `custom`. */
export function unrealContextOf(runtime: Readonly<Record<string, string>>): Record<string, unknown> {
  const context: Record<string, unknown> = { type: 'unreal' };
  const custom: [string, string][] = [];
  for (const [element, text] of Object.entries(runtime)) {
    if (ELSEWHERE.has(element)) continue;
    const property = Object.hasOwn(PROPERTIES, element) ? PROPERTIES[element] : undefined;
    if (property === undefined) {
      custom.push([element, text]);
      continue;
    }
    const value = readValue(text, property[1]);
    if (value !== null) context[property[0]] = value;
  }
  if (custom.length > 0) context.custom = Object.fromEntries(custom);
  return context;
}

function readValue(text: string, kind: Kind): string | number | boolean | null {
  if (kind === 'text') return text;
  if (kind === 'boolean') return isTrue(text) ? true : /^(?:false|0)$/i.test(text) ? false : null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

/** Newer engines write 1 and 0. */
export const isTrue = (text: string | undefined): boolean => /^(?:true|1)$/i.test(text ?? '');
