import type { Frame, Stacktrace, Thread } from '#protocol/event.ts';
import type { CrashFacts } from '../crash-facts.ts';
import type { DumpException } from './crash-reason.ts';
import { inOrder, moduleAt } from './module-at.ts';
import type { DumpModule } from './read-modules.ts';
import type { MiscInfo, Os, SystemInfo } from './read-streams.ts';
import type { CpuContext, DumpThread } from './read-threads.ts';
import type { Caller } from './walk-stack.ts';

/** A dump as it was read. */
export type CrashDump = {
  /** Seconds since the epoch. */
  timestamp: number | null;
  system: SystemInfo;
  /** null when the dump was asked for, and nothing had crashed. */
  exception: DumpException | null;
  /** Registers at the time of the crash: those of the thread are from when the dump was written. */
  exceptionContext: CpuContext | null;
  crashedThreadId: number | null;
  /** The thread that wrote the dump. */
  dumpThreadId: number | null;
  threads: readonly DumpThread[];
  /** Of the threads whose stacks were walked, by their numbers; the nearest first. */
  callers: ReadonlyMap<number, readonly Caller[]>;
  modules: readonly DumpModule[];
  misc: MiscInfo | null;
  assertion: string | null;
  annotations: Readonly<Record<string, string>> | null;
  writer: 'crashpad' | 'breakpad' | 'unknown';
};

/**
 * What the dump says, as the event protocol has it. Source: `merge_symbolicator_minidump_response` in sentry,
 * src/sentry/lang/native/processing.py.
 */
export function crashFactsOf(dump: CrashDump): CrashFacts {
  const { exception, crashedThreadId, system } = dump;
  const modules = inOrder(dump.modules);
  const reason = exception === null ? null : `${exception.reason} / ${address(exception.address)}`;
  const crashed = dump.threads.find(({ id }) => id === crashedThreadId);
  const crashContext = dump.exceptionContext ?? crashed?.context ?? null;
  return {
    kind: 'crash',
    exception: {
      type: reason ?? 'DUMP_REQUESTED',
      value:
        dump.assertion === null
          ? reason === null
            ? 'A dump was requested'
            : `Fatal Error: ${reason}`
          : `Assertion Error: ${dump.assertion}`,
      thread_id: crashedThreadId,
      mechanism: { type: 'minidump', handled: false, synthetic: true },
      stacktrace: crashContext && stacktraceOf(crashContext, callersOf(dump, crashedThreadId), modules),
    },
    threads: dump.threads.map((thread) => threadOf(thread, dump, modules)),
    images: modules.map((module) => imageOf(module, system)),
    contexts: contextsOf(dump),
    event: {
      level: exception === null && dump.assertion === null ? 'info' : 'fatal',
      sdk: { name: `minidump.${dump.writer}`, version: '0.0.0' },
    },
    files: [],
    timestamp: dump.timestamp,
  };
}

/** The stack of the thread that crashed stands with the exception. */
function threadOf(thread: DumpThread, dump: CrashDump, modules: readonly DumpModule[]): Thread {
  const crashed = thread.id === dump.crashedThreadId;
  const isSilent = crashed || thread.id === dump.dumpThreadId || thread.context === null;
  return {
    id: thread.id,
    name: thread.name,
    crashed: crashed && dump.exception !== null,
    current: crashed,
    stacktrace:
      isSilent || thread.context === null
        ? null
        : stacktraceOf(thread.context, callersOf(dump, thread.id), modules),
  };
}

const callersOf = ({ callers }: CrashDump, threadId: number | null): readonly Caller[] =>
  threadId === null ? [] : (callers.get(threadId) ?? []);

/** Where the thread was, and who had called, as far as a walk without symbols tells; oldest first. */
function stacktraceOf(
  context: CpuContext,
  callers: readonly Caller[],
  modules: readonly DumpModule[],
): Stacktrace {
  const calls: Caller[] = [{ address: context.instructionPointer, trust: 'context' }, ...callers];
  return {
    frames: calls.map((call) => frameOf(call, modules)).reverse(),
    registers: Object.fromEntries(
      Object.entries(context.registers).map(([name, value]) => [name, address(value)]),
    ),
  };
}

function frameOf({ address: at, trust }: Caller, modules: readonly DumpModule[]): Frame {
  const module = moduleAt(at, modules);
  return {
    instruction_addr: address(at),
    package: module?.codeFile ?? null,
    ...(module && { image_addr: address(module.base) }),
    trust,
  };
}

const IMAGE_TYPES: Readonly<Record<Os, string>> = {
  windows: 'pe',
  macos: 'macho',
  ios: 'macho',
  linux: 'elf',
  android: 'elf',
  other: 'unknown',
};

function imageOf(module: DumpModule, { os, arch }: SystemInfo): Readonly<Record<string, unknown>> {
  return present({
    type: IMAGE_TYPES[os],
    code_file: module.codeFile,
    code_id: module.codeId,
    debug_id: module.debugId,
    debug_file: module.debugFile,
    image_addr: address(module.base),
    image_size: module.size,
    arch,
    image_version: module.version,
  });
}

function contextsOf({ system, misc, annotations }: CrashDump): Record<string, Record<string, unknown>> {
  return {
    os: present({ type: 'os', name: system.osName, version: system.osVersion, build: system.osBuild }),
    device: present({
      type: 'device',
      arch: system.arch,
      processor_count: system.processors || null,
    }),
    ...(misc?.startedAt && {
      app: { type: 'app', app_start_time: new Date(misc.startedAt * 1000).toISOString() },
    }),
    ...(misc?.processId && { process: { type: 'process', pid: misc.processId } }),
    ...(annotations && Object.keys(annotations).length > 0 && { crashpad: annotations }),
  };
}

const address = (value: bigint): string => `0x${value.toString(16)}`;

const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
