import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { Breadcrumb, ExceptionValue, Frame } from '#protocol/event.ts';
import { isSource, listOf, pairsOf, type Source } from '../../normalize/field-reader.ts';
import type { CrashFacts } from '../crash-facts.ts';
import { isTrue, type UnrealContext, unrealContextOf } from './read-context.ts';

type Facts = Extract<CrashFacts, { kind: 'crash' }>;

/** What a report of Unreal holds, read. */
export type UnrealReport = {
  /** null when there is none, or it could not be read. */
  context: UnrealContext | null;
  /** What its minidump says; null without one that can be read. */
  dump: Facts | null;
  breadcrumbs: readonly Breadcrumb[];
  files: Facts['files'];
  /** `UserID` of the request: user, Epic account and machine, with bars between; null when it was not said. */
  user: string | null;
};

/** Where the plugin for Unreal puts an event of its own. */
const EVENT_KEY = '__sentry';

/**
 * One crash of all that the report says. Sources: `merge_unreal_context`, `merge_unreal_user_info` and
 * `get_unreal_user_report` in relay-server/src/utils/unreal.rs.
 */
export function unrealFacts({ context, dump, breadcrumbs, files, user }: UnrealReport): CrashFacts {
  const runtime = context?.runtime ?? {};
  const sent = eventOf(context);
  const { id, tags } = readUser(user);
  const said: Record<string, unknown> = {
    ...present({
      level: levelOf(runtime) ?? dump?.event.level,
      logentry: runtime.ErrorMessage && { formatted: runtime.ErrorMessage },
      sdk: { name: 'unreal.crashreporter', version: runtime.CrashReportClientVersion ?? '0.0.0' },
    }),
    ...sent,
    breadcrumbs: [...listOf(sent.breadcrumbs), ...breadcrumbs],
    tags: [...tags, ...tagsOf(runtime, tags), ...pairsOf(sent.tags)],
    user: present({
      id: id ?? runtime.LoginId,
      username: runtime.UserName,
      ...(isSource(sent.user) && sent.user),
    }),
  };
  const comments = runtime.UserDescription?.trim();
  return {
    kind: 'crash',
    exception: dump?.exception ?? exceptionOf(runtime),
    threads: dump?.threads ?? [],
    images: dump?.images ?? [],
    contexts: contextsOf(context, dump, sent),
    event: said,
    files,
    timestamp: dump?.timestamp ?? null,
    userReport: comments ? { name: runtime.UserName ?? null, comments } : null,
  };
}

/** The event that the game gave the crash reporter, as JSON in its data. */
function eventOf(context: UnrealContext | null): Source {
  try {
    const event: unknown = parseBoundedJson(context?.game[EVENT_KEY] ?? '{}');
    return isSource(event) ? event : {};
  } catch {
    return {};
  }
}

function readUser(user: string | null): { id: string | undefined; tags: [string, string][] } {
  const [id, epicAccount, machine] = (user ?? '').split('|');
  const tags: [string, string][] = [];
  if (epicAccount) tags.push(['epic_account_id', epicAccount]);
  if (machine) tags.push(['machine_id', machine]);
  return { id: id || undefined, tags };
}

/** What the request did not say the context may know. */
function tagsOf(
  runtime: Readonly<Record<string, string>>,
  said: readonly (readonly [string, string])[],
): [string, string][] {
  const tags: [string, string][] = [];
  const known = new Set(said.map(([key]) => key));
  if (runtime.EpicAccountId && !known.has('epic_account_id'))
    tags.push(['epic_account_id', runtime.EpicAccountId]);
  if (runtime.MachineId && !known.has('machine_id')) tags.push(['machine_id', runtime.MachineId]);
  return tags;
}

function levelOf(runtime: Readonly<Record<string, string>>): 'error' | 'warning' | undefined {
  if (isTrue(runtime.IsAssert)) return 'error';
  return isTrue(runtime.IsEnsure) ? 'warning' : undefined;
}

/** Without a dump: what the engine wrote down itself. */
function exceptionOf(runtime: Readonly<Record<string, string>>): ExceptionValue {
  const frames = readPortableCallStack(runtime.PCallStack ?? '');
  return {
    type: runtime.CrashType || 'Crash',
    value: runtime.ErrorMessage || 'The report contains no crash dump',
    mechanism: { type: 'unreal', handled: false, synthetic: true },
    stacktrace: frames.length === 0 ? null : { frames },
  };
}

function contextsOf(
  context: UnrealContext | null,
  dump: Facts | null,
  sent: Source,
): Record<string, Record<string, unknown>> {
  const contexts: Record<string, Record<string, unknown>> = { ...dump?.contexts };
  if (context) {
    const { runtime, engine, game } = context;
    const memory = Number(runtime['MemoryStats.TotalPhysical']);
    if (Number.isSafeInteger(memory) && memory > 0) {
      contexts.device = { type: 'device', memory_size: memory, ...contexts.device };
    }
    const os = runtime['Misc.OSVersionMajor'];
    if (os) contexts.os = { type: 'os', raw_description: os, ...contexts.os };
    const gpu = present({
      name: engine['RHI.AdapterName'] ?? runtime['Misc.PrimaryGPUBrand'],
      id: engine['RHI.DeviceId'],
      graphics_shader_level: engine['RHI.FeatureLevel'],
      vendor_name: engine['RHI.GPUVendor'],
      version: engine['RHI.UserDriverVersion'],
      api_type: engine['RHI.RHIName'],
    });
    if (Object.keys(gpu).length > 0) contexts.gpu = { type: 'gpu', ...gpu };
    const { [EVENT_KEY]: _event, ...data } = game;
    if (Object.keys(data).length > 0) contexts.game = { ...data };
    contexts.unreal = unrealContextOf(runtime);
  }
  for (const [name, value] of Object.entries(isSource(sent.contexts) ? sent.contexts : {})) {
    if (isSource(value)) contexts[name] = { ...contexts[name], ...value };
  }
  return contexts;
}

const present = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

/** Frames of a portable call stack. */
const FRAMES_MAX = 250;
const CALL = /(\S+) 0x([0-9a-f]{1,16}) \+ ([0-9a-f]{1,16})/gi;

/**
 * The frames of `PCallStack`, `<module> 0x<base> + <offset>` one after the other and innermost first; oldest call first
 * here. Source: `parse_portable_callstack` in sentry, src/sentry/lang/native/unreal.py.
 */
export function readPortableCallStack(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const [, module, base, offset] of text.matchAll(CALL)) {
    if (frames.length >= FRAMES_MAX) break;
    const address = BigInt.asUintN(64, BigInt(`0x${base}`) + BigInt(`0x${offset}`));
    frames.unshift({ package: module ?? null, instruction_addr: `0x${address.toString(16)}` });
  }
  return frames;
}
