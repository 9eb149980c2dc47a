import type { FrameTrust } from '#protocol/event.ts';
import { hasSymbol } from '../../symbolicate/native/find-symbol.ts';
import type { PackedSymbols } from '../../symbolicate/native/packed-symbols.ts';
import { unwind } from '../../symbolicate/native/unwind.ts';
import { DumpError, type DumpReader } from './dump-reader.ts';
import { moduleAt } from './module-at.ts';
import type { DumpModule } from './read-modules.ts';
import type { Cpu } from './read-streams.ts';
import { type CpuContext, STACK_REGISTERS, type StackMemory, wordBytes } from './read-threads.ts';

/** Who called: where the call returns to, and how that was found. */
export type Caller = { address: bigint; trust: FrameTrust };

/** Symbols of a module that were uploaded; null for none. */
export type ModuleSymbols = (module: DumpModule) => PackedSymbols | null;

/** What a walk needs of a thread: where it was, and its stack from there on. */
export type ThreadStack = {
  cpu: Exclude<Cpu, 'other'>;
  context: CpuContext;
  /** Address of the first byte of `memory`. */
  start: bigint;
  memory: DataView;
};

/** Stack that is read of one thread. */
const STACK_BYTES_MAX = 64 * 1024;
/** Callers of one thread that are kept. */
const CALLERS_MAX = 48;
/** With symbols, which know the callers. */
const UNWOUND_CALLERS_MAX = 250;
/** Words that are looked through for the next return address; more above the first frame, which may have large variables. */
const FIRST_WORDS_MAX = 160;
const NEXT_WORDS_MAX = 40;
/** What a module begins with is its header, and no code. */
const HEADER_BYTES = 0x1000n;

/** null when the stack was not captured, or the processor is not known. */
export async function readStackMemory(
  reader: DumpReader,
  stack: StackMemory | null,
  context: CpuContext | null,
  cpu: Cpu,
): Promise<ThreadStack | null> {
  if (stack === null || context === null || cpu === 'other') return null;
  const start = context.registers[STACK_REGISTERS[cpu].pointer] ?? 0n;
  const skipped = Number(start - stack.base);
  if (!(skipped >= 0 && skipped < stack.size)) return null;
  try {
    const size = Math.min(stack.size - skipped, STACK_BYTES_MAX);
    const bytes = await reader.bytes(stack.offset + skipped, size);
    // A copy: pages of the dump are not kept.
    const memory = new DataView(Uint8Array.from(bytes).buffer);
    return { cpu, context, start, memory };
  } catch (error) {
    if (error instanceof DumpError) return null;
    throw error;
  }
}

/**
 * The callers of a thread's context, the nearest first. Where the symbols of a module were uploaded, their call frame
 * information says who called. Elsewhere it is followed along frame pointers as long as they lead somewhere, and otherwise
 * the stack is scanned for what points into a module; a scan also finds what calls that have long returned left behind.
 * Source of the method and of its windows:
 * https://chromium.googlesource.com/breakpad/breakpad/+/main/docs/stack_walking.md
 */
export function walkStack(
  stack: ThreadStack,
  modules: readonly DumpModule[],
  symbolsOf: ModuleSymbols,
): readonly Caller[] {
  return new StackWalk(stack, modules, symbolsOf).walk();
}

/** The call that was found last, and where its caller is looked for. */
type Position = {
  /** Where it goes on, and whether that is behind a call. */
  at: bigint;
  isReturn: boolean;
  registers: Readonly<Record<string, bigint>>;
  /** Bytes of parameters that the call below was given. */
  parameters: number;
  /** Of the stack that belongs to calls below. */
  offset: number;
};

/** null where it cannot be said this way; `end` where nobody called. */
type Step = Position | 'end' | null;

class StackWalk {
  readonly #stack: ThreadStack;
  readonly #modules: readonly DumpModule[];
  readonly #symbolsOf: ModuleSymbols;
  readonly #bytes: 4 | 8;
  readonly #callers: Caller[] = [];

  constructor(stack: ThreadStack, modules: readonly DumpModule[], symbolsOf: ModuleSymbols) {
    this.#stack = stack;
    this.#modules = modules;
    this.#symbolsOf = symbolsOf;
    this.#bytes = wordBytes(stack.cpu);
  }

  walk(): readonly Caller[] {
    const { context, cpu } = this.#stack;
    const { link } = STACK_REGISTERS[cpu];
    let position: Position = {
      at: context.instructionPointer,
      isReturn: false,
      registers: context.registers,
      parameters: 0,
      offset: 0,
    };
    // Whoever jumped to where nothing is has the way back in a register, on processors that have one for it.
    const back = link === null ? undefined : context.registers[link];
    if (back !== undefined && !this.#isCode(position.at) && this.#isCode(back)) {
      this.#callers.push({ address: back, trust: 'scan' });
      position = { ...position, at: back, isReturn: true };
    }
    while (this.#callers.length < this.#callersMax) {
      const next: Step = this.#unwind(position) ?? this.#alongFramePointer(position) ?? this.#scan(position);
      if (next === null || next === 'end') break;
      position = next;
    }
    return this.#callers;
  }

  /** A walk by guesses ends sooner. */
  get #callersMax(): number {
    return this.#callers.some(({ trust }) => trust === 'cfi') ? UNWOUND_CALLERS_MAX : CALLERS_MAX;
  }

  /** By the call frame information of the module; null without any, and where it leads nowhere. */
  #unwind(position: Position): Step {
    const looked = position.isReturn ? position.at - 1n : position.at;
    const module = moduleAt(looked, this.#modules);
    const symbols = module && this.#symbolsOf(module);
    if (!symbols) return null;
    const { cpu, start } = this.#stack;
    const { pointer } = STACK_REGISTERS[cpu];
    const unwound = unwind(symbols, Number(looked - module.base), {
      cpu,
      registers: position.registers,
      calleeParameters: position.parameters,
      read: (address) => this.#read(address),
    });
    if (unwound === null) return null;
    const offset = Number(unwound.stackPointer - start);
    // Only the innermost call may not have taken anything of the stack.
    const isAhead = position.isReturn ? offset > position.offset : offset >= position.offset;
    if (!isAhead || offset > this.#stack.memory.byteLength) return null;
    const address = unwound.instructionPointer;
    if (address === 0n) return 'end';
    if (!this.#isCode(address)) return null;
    return this.#found(address, 'cfi', {
      registers: { ...unwound.registers, [pointer]: unwound.stackPointer },
      parameters: unwound.parameters,
      offset,
    });
  }

  #alongFramePointer(position: Position): Step {
    const { start, cpu } = this.#stack;
    const { frame: frameName } = STACK_REGISTERS[cpu];
    const frame = position.registers[frameName] ?? 0n;
    const pair = Number(frame - start);
    const isPair = pair >= position.offset && pair % this.#bytes === 0 && this.#isThere(pair + this.#bytes);
    if (!isPair) return null;
    const next = this.#wordAt(pair);
    const address = this.#wordAt(pair + this.#bytes);
    if (!this.#isCode(address) || (next !== 0n && next <= frame)) return null;
    // The first call of a thread has none before it.
    if (next === 0n) return this.#found(address, 'fp', null);
    return this.#found(address, 'fp', this.#above(pair + 2 * this.#bytes, next));
  }

  #scan(position: Position): Step {
    const { offset } = position;
    const words = offset === 0 ? FIRST_WORDS_MAX : NEXT_WORDS_MAX;
    const end = offset + this.#bytes * words;
    let found = offset;
    while (found < end && this.#isThere(found) && !this.#isCall(this.#wordAt(found))) found += this.#bytes;
    if (found >= end || !this.#isThere(found)) return null;
    const frame = position.registers[STACK_REGISTERS[this.#stack.cpu].frame] ?? 0n;
    return this.#found(this.#wordAt(found), 'scan', this.#above(found + this.#bytes, frame));
  }

  /** Of the caller only these registers are known. */
  #above(offset: number, frame: bigint): Pick<Position, 'registers' | 'parameters' | 'offset'> {
    const { pointer, frame: frameName } = STACK_REGISTERS[this.#stack.cpu];
    return {
      registers: { [pointer]: this.#stack.start + BigInt(offset), [frameName]: frame },
      parameters: 0,
      offset,
    };
  }

  #found(
    address: bigint,
    trust: FrameTrust,
    above: Pick<Position, 'registers' | 'parameters' | 'offset'> | null,
  ): Step {
    this.#callers.push({ address, trust });
    return above === null ? 'end' : { at: address, isReturn: true, ...above };
  }

  #isCode(at: bigint): boolean {
    const module = moduleAt(at, this.#modules);
    return module !== null && at >= module.base + HEADER_BYTES;
  }

  /** Where symbols are known, only what is in one of them can be returned to. */
  #isCall(at: bigint): boolean {
    const module = moduleAt(at, this.#modules);
    if (module === null || at < module.base + HEADER_BYTES) return false;
    const symbols = this.#symbolsOf(module);
    return symbols === null || hasSymbol(symbols, Number(at - 1n - module.base));
  }

  #read(address: bigint): bigint | null {
    const offset = Number(address - this.#stack.start);
    return offset >= 0 && this.#isThere(offset) ? this.#wordAt(offset) : null;
  }

  #isThere(offset: number): boolean {
    return offset + this.#bytes <= this.#stack.memory.byteLength;
  }

  #wordAt(offset: number): bigint {
    const { memory } = this.#stack;
    return this.#bytes === 4 ? BigInt(memory.getUint32(offset, true)) : memory.getBigUint64(offset, true);
  }
}
