import { lastRow, type PackedSymbols, textAt, WIDTH } from './packed-symbols.ts';

/** Processors whose callers can be found. */
export type UnwoundCpu = 'x86' | 'x86_64' | 'arm' | 'arm64';

/** A call that was under way: as far as its registers are known, by their names in dumps. */
export type CallState = {
  cpu: UnwoundCpu;
  registers: Readonly<Record<string, bigint>>;
  /** Bytes of parameters that the call below it was given, for x86 of Windows. */
  calleeParameters: number;
  /** A word of the stack; null for what was not captured. */
  read: (address: bigint) => bigint | null;
};

/** The caller: where it goes on, and its registers. */
export type Unwound = {
  instructionPointer: bigint;
  stackPointer: bigint;
  registers: Readonly<Record<string, bigint>>;
  parameters: number;
};

/** Rules of one place that are looked at. */
const CHANGES_MAX = 1_000;
/** Steps of the rules of one call. */
const STEPS_MAX = 2_000;

/** Registers that a function gives back as it found them, and how symbol files name those that dumps name otherwise. */
const CPUS: Readonly<
  Record<
    UnwoundCpu,
    { kept: readonly string[]; pointer: string; bits: 32 | 64; names: Readonly<Record<string, string>> }
  >
> = {
  x86: { kept: ['ebx', 'ebp', 'esi', 'edi'], pointer: 'esp', bits: 32, names: {} },
  x86_64: { kept: ['rbx', 'rbp', 'r12', 'r13', 'r14', 'r15'], pointer: 'rsp', bits: 64, names: {} },
  arm: {
    kept: ['r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11'],
    pointer: 'sp',
    bits: 32,
    names: { fp: 'r11', r13: 'sp', r14: 'lr', r15: 'pc' },
  },
  arm64: {
    kept: ['x19', 'x20', 'x21', 'x22', 'x23', 'x24', 'x25', 'x26', 'x27', 'x28', 'fp'],
    pointer: 'sp',
    bits: 64,
    names: { x29: 'fp', x30: 'lr', x31: 'sp' },
  },
};

/**
 * The caller of a call at an address relative to its module, by the call frame information of the module; null without any,
 * and where its rules need what is not known.
 * Source: https://chromium.googlesource.com/breakpad/breakpad/+/main/docs/symbol_files.md
 */
export function unwind(symbols: PackedSymbols, address: number, state: CallState): Unwound | null {
  const rules = callFrameRules(symbols, address);
  if (rules) return byCallFrames(rules, state);
  return state.cpu === 'x86' ? byFrameData(symbols, address, state) : null;
}

/** Register → how its value in the caller is worked out. */
type Rules = ReadonlyMap<string, readonly string[]>;

function callFrameRules(symbols: PackedSymbols, address: number): Rules | null {
  const { unwind: table, changes } = symbols;
  const row = lastRow(table, WIDTH.unwind, address, { first: 0, count: table.length / WIDTH.unwind });
  const at = row * WIDTH.unwind;
  if (row < 0 || address >= (table[at + 1] as number)) return null;
  const rules = new Map<string, readonly string[]>();
  addRules(rules, textAt(symbols, table[at + 2] as number, table[at + 3] as number));
  const [first, count] = [table[at + 4] as number, table[at + 5] as number];
  const last = lastRow(changes, WIDTH.changes, address, { first, count });
  if (last - first >= CHANGES_MAX) return null;
  for (let change = first; change <= last; change++) {
    const place = change * WIDTH.changes;
    addRules(rules, textAt(symbols, changes[place + 1] as number, changes[place + 2] as number));
  }
  return rules;
}

function addRules(rules: Map<string, readonly string[]>, text: string): void {
  let steps: string[] | null = null;
  for (const word of wordsOf(text)) {
    if (word.endsWith(':')) {
      steps = [];
      rules.set(word.slice(0, -1), steps);
    } else steps?.push(word);
  }
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function byCallFrames(rules: Rules, state: CallState): Unwound | null {
  const { kept, pointer } = CPUS[state.cpu];
  const machine = new Machine(state);
  const frameRule = rules.get('.cfa');
  const frame = frameRule && machine.evaluate(frameRule, () => null);
  if (frame === undefined || frame === null) return null;
  const evaluate = (steps: readonly string[]) =>
    machine.evaluate(steps, (word) => (word === '.cfa' ? frame : null));
  const returnRule = rules.get('.ra');
  const back = returnRule && evaluate(returnRule);
  if (back === undefined || back === null) return null;
  const registers: Record<string, bigint> = {};
  for (const name of kept) {
    const value = state.registers[name];
    if (value !== undefined) registers[name] = value;
  }
  for (const [name, steps] of rules) {
    if (name === '.cfa' || name === '.ra') continue;
    const register = machine.registerOf(name);
    const value = evaluate(steps);
    if (value === null) delete registers[register];
    else if (kept.includes(register) || register === pointer) registers[register] = value;
  }
  registers[pointer] ??= frame;
  const stackPointer = registers[pointer];
  return { instructionPointer: back, stackPointer, registers, parameters: 0 };
}

/** A program of assignments: `$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =`. */
function byFrameData(symbols: PackedSymbols, address: number, state: CallState): Unwound | null {
  const { frameData: table } = symbols;
  const row = lastRow(table, WIDTH.frameData, address, { first: 0, count: table.length / WIDTH.frameData });
  const at = row * WIDTH.frameData;
  if (row < 0 || address >= (table[at + 1] as number)) return null;
  const [parameters, saved, locals] = [table[at + 2], table[at + 3], table[at + 4]].map(Number) as [
    number,
    number,
    number,
  ];
  const stackPointer = state.registers.esp;
  if (stackPointer === undefined) return null;
  const search = stackPointer + BigInt(state.calleeParameters + locals + saved);
  const variables = new Map<string, bigint>([
    ['.cbParams', BigInt(parameters)],
    ['.cbCalleeParams', BigInt(state.calleeParameters)],
    ['.cbSavedRegs', BigInt(saved)],
    ['.cbLocals', BigInt(locals)],
    ['.raSearch', search],
    ['.raSearchStart', search],
  ]);
  const words = wordsOf(textAt(symbols, table[at + 5] as number, table[at + 6] as number));
  if (!new Machine(state).run(words, variables)) return null;
  const back = variables.get('$eip');
  const above = variables.get('$esp');
  if (back === undefined || above === undefined) return null;
  const registers: Record<string, bigint> = { esp: above };
  for (const name of CPUS.x86.kept) {
    const value = variables.get(`$${name}`) ?? state.registers[name];
    if (value !== undefined) registers[name] = value;
  }
  return { instructionPointer: back, stackPointer: above, registers, parameters };
}

/** Works out what stands behind its operands: `$rsp 8 +`, `.cfa -8 + ^`. */
class Machine {
  readonly #state: CallState;
  #steps = 0;

  constructor(state: CallState) {
    this.#state = state;
  }

  /** As dumps name it. */
  registerOf(name: string): string {
    const plain = name.startsWith('$') ? name.slice(1) : name;
    const { names } = CPUS[this.#state.cpu];
    return Object.hasOwn(names, plain) ? (names[plain] as string) : plain;
  }

  /** null where something is not known, or it is no expression. */
  evaluate(words: readonly string[], known: (word: string) => bigint | null): bigint | null {
    const stack: bigint[] = [];
    for (const word of words) if (!this.#step(word, stack, known)) return null;
    const [value] = stack;
    return stack.length === 1 && value !== undefined ? value : null;
  }

  /** False where something is not known. */
  run(words: readonly string[], variables: Map<string, bigint>): boolean {
    const stack: bigint[] = [];
    const targets: string[] = [];
    const known = (word: string) => variables.get(word) ?? null;
    for (const word of words) {
      if (word === '=') {
        const [value, target] = [stack.pop(), targets.pop()];
        if (value === undefined || target === undefined || stack.length > 0) return false;
        variables.set(target, value);
      } else if (stack.length === 0 && targets.length === 0) targets.push(word);
      else if (!this.#step(word, stack, known)) return false;
    }
    return targets.length === 0 && stack.length === 0;
  }

  #step(word: string, stack: bigint[], known: (word: string) => bigint | null): boolean {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX) return false;
    const value = numberOf(word) ?? known(word) ?? this.#register(word);
    if (value !== null) {
      stack.push(value);
      return true;
    }
    const last = stack.pop();
    if (last === undefined) return false;
    if (word === '^') {
      const read = this.#state.read(this.#wrap(last));
      if (read !== null) stack.push(read);
      return read !== null;
    }
    const first = stack.pop();
    const operate = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
    const result = first === undefined ? null : (operate?.(first, last) ?? null);
    if (result === null) return false;
    stack.push(this.#wrap(result));
    return true;
  }

  #register(word: string): bigint | null {
    const name = this.registerOf(word);
    const { registers } = this.#state;
    return Object.hasOwn(registers, name) ? (registers[name] as bigint) : null;
  }

  #wrap(value: bigint): bigint {
    return BigInt.asUintN(CPUS[this.#state.cpu].bits, value);
  }
}

const numberOf = (word: string): bigint | null => (/^-?\d{1,20}$/.test(word) ? BigInt(word) : null);

const OPERATORS: Readonly<Record<string, (a: bigint, b: bigint) => bigint | null>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? null : a / b),
  '%': (a, b) => (b === 0n ? null : a % b),
  // Down to a multiple.
  '@': (a, b) => (b === 0n ? null : a - (a % b)),
};
