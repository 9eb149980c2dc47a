import { toNativeDebugId } from '../symbolicate/native/native-images.ts';
import type { SymbolSources } from '../symbolicate/symbol-sources.ts';
import type { ByteSource, CrashFacts } from './crash-facts.ts';
import { type CrashDump, crashFactsOf } from './minidump/crash-facts-of.ts';
import { readException } from './minidump/crash-reason.ts';
import {
  type Directory,
  DumpError,
  DumpReader,
  type Location,
  readDirectory,
  STREAM,
} from './minidump/dump-reader.ts';
import { inOrder } from './minidump/module-at.ts';
import { readModules } from './minidump/read-modules.ts';
import {
  readAssertion,
  readBreakpadInfo,
  readCrashpadAnnotations,
  readMiscInfo,
  readSystemInfo,
} from './minidump/read-streams.ts';
import { readContext, readThreads } from './minidump/read-threads.ts';
import { type Caller, readStackMemory, type ThreadStack, walkStack } from './minidump/walk-stack.ts';

/** Calls `work` with what was uploaded, and again once what it asked for is there. */
export type WithSymbols = <Result>(
  work: (sources: Pick<SymbolSources, 'findSymbols'>) => Result,
) => Promise<Result>;

const WITHOUT_SYMBOLS: WithSymbols = async (work) => work({ findSymbols: () => null });

/**
 * Reads what a minidump says of a crash: why, in which thread, what was loaded, on which system. Of the memory in it only
 * stacks are looked at. Whatever the bytes are, this answers; it throws only what the source throws.
 * Sources: minidumpapiset.h of Windows; breakpad, src/google_breakpad/common/minidump_format.h; crashpad.
 */
export async function readMinidump(
  source: ByteSource,
  withSymbols: WithSymbols = WITHOUT_SYMBOLS,
): Promise<CrashFacts> {
  try {
    return crashFactsOf(await readDump(new DumpReader(source), withSymbols));
  } catch (error) {
    if (error instanceof DumpError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/** Throws DumpError when there is nothing to tell; a stream that is broken is as one that is missing. */
async function readDump(reader: DumpReader, withSymbols: WithSymbols): Promise<CrashDump> {
  const directory = await readDirectory(reader);
  const systemStream = directory.find(STREAM.systemInfo);
  if (!systemStream) throw new DumpError('It does not include the operating system');
  const system = await readSystemInfo(reader, systemStream);
  const read = <T>(stream: number, by: (at: Location) => Promise<T>) => attempt(directory, stream, by);

  const exception = await read(STREAM.exception, (at) => readException(reader, at, system));
  const breakpad = await read(STREAM.breakpadInfo, (at) => readBreakpadInfo(reader, at));
  const crashedThreadId = exception?.threadId ?? breakpad?.requestingThreadId ?? null;
  const names = directory.find(STREAM.threadNames);
  const threads =
    (await read(STREAM.threadList, (at) => readThreads(reader, at, names, system.cpu, crashedThreadId))) ??
    [];
  const exceptionContext = exception && (await readContext(reader, exception.context, system.cpu));
  const modules = (await read(STREAM.moduleList, (at) => readModules(reader, at, system.os))) ?? [];
  const misc = await read(STREAM.miscInfo, (at) => readMiscInfo(reader, at));
  const assertion = await read(STREAM.assertionInfo, (at) => readAssertion(reader, at));
  const annotations = await read(STREAM.crashpadInfo, (at) => readCrashpadAnnotations(reader, at));
  return {
    timestamp: directory.timestamp,
    system,
    exception,
    exceptionContext,
    crashedThreadId,
    dumpThreadId: breakpad?.dumpThreadId ?? null,
    threads,
    // Last: what is read of stacks must not be missing elsewhere.
    callers: await walkStacks(
      await readStacks(reader, { threads, exceptionContext, crashedThreadId, system }),
      modules,
      withSymbols,
    ),
    modules,
    misc,
    assertion,
    annotations,
    writer: directory.find(STREAM.crashpadInfo)
      ? 'crashpad'
      : directory.find(STREAM.breakpadInfo)
        ? 'breakpad'
        : 'unknown',
  };
}

/** Threads whose stacks are walked; that of the crash is always among them. */
const WALKED_THREADS_MAX = 50;

/** By the numbers of the threads. */
async function readStacks(
  reader: DumpReader,
  dump: Pick<CrashDump, 'threads' | 'exceptionContext' | 'crashedThreadId' | 'system'>,
): Promise<ReadonlyMap<number, ThreadStack>> {
  const { threads, exceptionContext, crashedThreadId, system } = dump;
  const crashed = threads.filter(({ id }) => id === crashedThreadId);
  const others = threads.filter(({ id }) => id !== crashedThreadId);
  const stacks = new Map<number, ThreadStack>();
  for (const thread of [...crashed, ...others].slice(0, WALKED_THREADS_MAX)) {
    const context = (thread.id === crashedThreadId ? exceptionContext : null) ?? thread.context;
    const stack = await readStackMemory(reader, thread.stack, context, system.cpu);
    if (stack) stacks.set(thread.id, stack);
  }
  return stacks;
}

function walkStacks(
  stacks: ReadonlyMap<number, ThreadStack>,
  modules: CrashDump['modules'],
  withSymbols: WithSymbols,
): Promise<CrashDump['callers']> {
  const ordered = inOrder(modules);
  const idOf = new Map(ordered.map((module) => [module, toNativeDebugId(module.debugId)]));
  return withSymbols(({ findSymbols }) => {
    const found = new Map<string, ReturnType<typeof findSymbols>>();
    const symbolsOf = (module: CrashDump['modules'][number]) => {
      const id = idOf.get(module);
      if (!id) return null;
      if (!found.has(id)) found.set(id, findSymbols(id));
      const symbols = found.get(id);
      return symbols && symbols !== 'unknown' && !('reason' in symbols) ? symbols : null;
    };
    const callers = new Map<number, readonly Caller[]>();
    for (const [id, stack] of stacks) callers.set(id, walkStack(stack, ordered, symbolsOf));
    return callers;
  });
}

/** null when the dump has no such stream, or it cannot be read. */
async function attempt<T>(
  directory: Directory,
  stream: number,
  read: (at: Location) => Promise<T>,
): Promise<T | null> {
  const at = directory.find(stream);
  if (!at) return null;
  try {
    return await read(at);
  } catch (error) {
    if (error instanceof DumpError) return null;
    throw error;
  }
}
