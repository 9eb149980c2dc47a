import type { FrameTrust } from '#protocol/event.ts';
import { DumpError, type DumpReader } from './dump-reader.ts';
import { moduleAt } from './module-at.ts';
import type { DumpModule } from './read-modules.ts';
import type { Cpu } from './read-streams.ts';
import { type CpuContext, STACK_REGISTERS, type StackMemory, wordBytes } from './read-threads.ts';

/** Who called: where the call returns to, and how that was found. */
export type Caller = { address: bigint; trust: FrameTrust };

/** Stack that is read of one thread. */
const STACK_BYTES_MAX = 64 * 1024;
/** Callers of one thread that are kept. */
const CALLERS_MAX = 48;
/** Words that are looked through for the next return address; more above the first frame, which may have large variables. */
const FIRST_WORDS_MAX = 160;
const NEXT_WORDS_MAX = 40;
/** What a module begins with is its header, and no code. */
const HEADER_BYTES = 0x1000n;

/**
 * The callers of a thread's context, the nearest first, without symbols: along frame pointers as long as they lead
 * somewhere, and otherwise by scanning the stack for what points into a module. A scan also finds what calls that have
 * long returned left behind. Empty when the stack was not captured. Source of the method and of its windows:
 * https://chromium.googlesource.com/breakpad/breakpad/+/main/docs/stack_walking.md
 */
export async function walkStack(
  reader: DumpReader,
  stack: StackMemory | null,
  context: CpuContext | null,
  cpu: Cpu,
  modules: readonly DumpModule[],
): Promise<readonly Caller[]> {
  if (stack === null || context === null || cpu === 'other') return [];
  const { pointer, frame, link } = STACK_REGISTERS[cpu];
  const start = context.registers[pointer] ?? 0n;
  const skipped = Number(start - stack.base);
  if (!(skipped >= 0 && skipped < stack.size)) return [];
  let memory: DataView;
  try {
    const size = Math.min(stack.size - skipped, STACK_BYTES_MAX);
    memory = await reader.view(stack.offset + skipped, size);
  } catch (error) {
    if (error instanceof DumpError) return [];
    throw error;
  }
  const isCode = (at: bigint): boolean => {
    const module = moduleAt(at, modules);
    return module !== null && at >= module.base + HEADER_BYTES;
  };
  const callers: Caller[] = [];
  // Whoever jumped to where nothing is has the way back in a register, on processors that have one for it.
  const back = link === null ? undefined : context.registers[link];
  if (back !== undefined && !isCode(context.instructionPointer) && isCode(back)) {
    callers.push({ address: back, trust: 'scan' });
  }
  return [...callers, ...search(memory, start, context.registers[frame] ?? 0n, wordBytes(cpu), isCode)];
}

function search(
  memory: DataView,
  start: bigint,
  framePointer: bigint,
  bytes: 4 | 8,
  isCode: (at: bigint) => boolean,
): readonly Caller[] {
  const wordAt = (offset: number): bigint =>
    bytes === 4 ? BigInt(memory.getUint32(offset, true)) : memory.getBigUint64(offset, true);
  const isThere = (offset: number): boolean => offset + bytes <= memory.byteLength;
  const callers: Caller[] = [];
  let offset = 0;
  let frame = framePointer;
  while (callers.length < CALLERS_MAX) {
    const pair = Number(frame - start);
    const isPair = pair >= offset && pair % bytes === 0 && isThere(pair + bytes);
    const next = isPair ? wordAt(pair) : 0n;
    if (isPair && isCode(wordAt(pair + bytes)) && (next === 0n || next > frame)) {
      callers.push({ address: wordAt(pair + bytes), trust: 'fp' });
      // The first call of a thread has none before it.
      if (next === 0n) break;
      offset = pair + 2 * bytes;
      frame = next;
      continue;
    }
    const end = offset + bytes * (callers.length === 0 ? FIRST_WORDS_MAX : NEXT_WORDS_MAX);
    let found = offset;
    while (found < end && isThere(found) && !isCode(wordAt(found))) found += bytes;
    if (found >= end || !isThere(found)) break;
    callers.push({ address: wordAt(found), trust: 'scan' });
    offset = found + bytes;
  }
  return callers;
}
