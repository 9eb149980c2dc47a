import { NO_NAME, type PackedSymbols, type SymbolsHead } from './packed-symbols.ts';
import { InvalidSymbols, SymbolTables } from './symbol-tables.ts';

/** A name or a path; the rest is cut. */
const NAME_BYTES_MAX = 2_048;
/** Rules of one place for finding the caller. */
const RULES_BYTES_MAX = 2_048;
/** Longer lines are no records. */
const LINE_BYTES_MAX = 64 * 1024;
/** Files and inlined functions of one symbol file. */
const NAMES_MAX = 2_000_000;
/** Ranges of one inlined call. */
const INLINE_RANGES_MAX = 10_000;
/** Lines after which it is looked at how much they take. */
const CHECK_EVERY = 65_536;
/** The head stands in the first line. */
const HEAD_BYTES_MAX = 4_096;

const [NEWLINE, RETURN, SPACE, TAB] = [10, 13, 32, 9];
const ADDRESS_MAX = 0xffffffff;

const HEAD = /^MODULE (\S{1,64}) (\S{1,64}) ([0-9A-Fa-f]{32})([0-9A-Fa-f]{0,8}) (\S[^\r\n]{0,1023})/;

/** What a Breakpad symbol file says in its first line; null for every other file. */
export function readSymbolsHead(bytes: Uint8Array): SymbolsHead | null {
  const line = Buffer.from(bytes.subarray(0, HEAD_BYTES_MAX)).toString('utf8').split('\n', 1)[0] ?? '';
  const [, os, arch, guid, age, name] = HEAD.exec(line) ?? [];
  if (!os || !arch || !guid || !name) return null;
  const id = guid.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const number = Number.parseInt(age || '0', 16);
  return { os, arch, debugId: number === 0 ? id : `${id}-${number.toString(16)}`, name: name.trim() };
}

/**
 * Reads a Breakpad symbol file: functions, lines, inlined calls, symbols, and how to find callers. Records that are broken
 * are passed over. Throws InvalidSymbols for another file, and for one with more than may be kept.
 * Source: https://chromium.googlesource.com/breakpad/breakpad/+/main/docs/symbol_files.md
 */
export function parseBreakpad(bytes: Uint8Array): PackedSymbols {
  const head = readSymbolsHead(bytes);
  if (!head) throw new InvalidSymbols('It does not begin with the MODULE line of a Breakpad symbol file');
  const reader = new RecordReader(bytes);
  let lines = 0;
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    let to = newline === -1 ? bytes.length : newline;
    const next = to + 1;
    if (to > from && bytes[to - 1] === RETURN) to--;
    if (to > from && to - from <= LINE_BYTES_MAX) reader.read(from, to);
    from = next;
    lines += 1;
    if (lines % CHECK_EVERY === 0) reader.tables.checkSize();
  }
  return reader.tables.pack(head);
}

class RecordReader {
  readonly tables = new SymbolTables();
  readonly #bytes: Uint8Array;
  #at = 0;
  #end = 0;
  /** Numbers that the file gives to its files and inlined functions → rows of names. */
  readonly #files = new Map<number, number>();
  readonly #origins = new Map<number, number>();
  /** What lines, and changes, belong to; -1 before the first. */
  #function = -1;
  #unwind = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(from: number, to: number): void {
    this.#at = from;
    this.#end = to;
    const start = this.#at;
    const first = this.#bytes[from] as number;
    if ((first >= 48 && first <= 57) || (first >= 97 && first <= 102)) {
      this.#readLine();
      return;
    }
    switch (this.#word()) {
      case 'FUNC':
        this.#readFunction();
        break;
      case 'INLINE':
        this.#readInline();
        break;
      case 'FILE':
        this.#readName(this.#files);
        break;
      case 'INLINE_ORIGIN':
        this.#readName(this.#origins);
        break;
      case 'PUBLIC':
        this.#readPublic();
        break;
      case 'STACK':
        this.#readStack();
        break;
      default:
        this.#at = start;
    }
  }

  /** `[m] address size parameters name`. */
  #readFunction(): void {
    const { functions, lines, inlines } = this.tables.rows;
    this.#function = -1;
    this.#skipMark();
    const [address, size, parameters] = [this.#hex(), this.#hex(), this.#hex()];
    if (address < 0 || size <= 0 || parameters < 0) return;
    const [at, length] = this.#rest(NAME_BYTES_MAX);
    const end = Math.min(address + size, ADDRESS_MAX);
    this.#function = functions.add(address, end, at, length, lines.count, 0, inlines.count, 0);
  }

  /** `address size line file`, of the function before it. */
  #readLine(): void {
    if (this.#function < 0) return;
    const [address, size, line, file] = [this.#hex(), this.#hex(), this.#decimal(), this.#decimal()];
    if (address < 0 || size <= 0 || line < 0 || file < 0) return;
    const { functions, lines } = this.tables.rows;
    lines.add(address, Math.min(address + size, ADDRESS_MAX), line, this.#files.get(file) ?? NO_NAME);
    functions.set(this.#function, 5, functions.get(this.#function, 5) + 1);
  }

  /** `depth line file function [address size]+`. An older form without the file cannot be told apart, and has no pairs. */
  #readInline(): void {
    if (this.#function < 0) return;
    const [depth, line, file, origin] = [this.#decimal(), this.#decimal(), this.#decimal(), this.#decimal()];
    const name = this.#origins.get(origin);
    if (depth < 0 || line < 0 || file < 0 || name === undefined) return;
    const { functions, inlines } = this.tables.rows;
    for (let ranges = 0; ranges < INLINE_RANGES_MAX; ranges++) {
      const [address, size] = [this.#hex(), this.#hex()];
      if (address < 0 || size <= 0) return;
      const end = Math.min(address + size, ADDRESS_MAX);
      inlines.add(depth, address, end, line, this.#files.get(file) ?? NO_NAME, name);
      functions.set(this.#function, 7, functions.get(this.#function, 7) + 1);
    }
  }

  #readName(into: Map<number, number>): void {
    const number = this.#decimal();
    const { names } = this.tables.rows;
    if (number < 0 || names.count >= NAMES_MAX) return;
    into.set(number, names.add(...this.#rest(NAME_BYTES_MAX)));
  }

  /** `[m] address parameters name`. */
  #readPublic(): void {
    this.#skipMark();
    const [address, parameters] = [this.#hex(), this.#hex()];
    if (address < 0 || parameters < 0) return;
    this.tables.rows.publics.add(address, ...this.#rest(NAME_BYTES_MAX));
  }

  #readStack(): void {
    switch (this.#word()) {
      case 'CFI':
        this.#readCallFrames();
        break;
      case 'WIN':
        this.#readFrameData();
    }
  }

  /** `INIT address size rules`, then what changes within: `address rules`. */
  #readCallFrames(): void {
    const { unwind, changes } = this.tables.rows;
    const start = this.#at;
    if (this.#word() === 'INIT') {
      this.#unwind = -1;
      const [address, size] = [this.#hex(), this.#hex()];
      if (address < 0 || size <= 0) return;
      const end = Math.min(address + size, ADDRESS_MAX);
      this.#unwind = unwind.add(address, end, ...this.#rest(RULES_BYTES_MAX), changes.count, 0);
      return;
    }
    this.#at = start;
    const address = this.#hex();
    if (this.#unwind < 0 || address < 0) return;
    changes.add(address, ...this.#rest(RULES_BYTES_MAX));
    unwind.set(this.#unwind, 5, unwind.get(this.#unwind, 5) + 1);
  }

  /** `type address size prologue epilogue parameters saved locals stack 1 program`: only type 4 has a program. */
  #readFrameData(): void {
    const type = this.#hex();
    const [address, size, prologue, epilogue] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()];
    const [parameters, saved, locals, stack] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()];
    const hasProgram = this.#hex();
    if (type !== 4 || hasProgram !== 1 || address < 0 || size <= 0) return;
    if (Math.min(prologue, epilogue, parameters, saved, locals, stack) < 0) return;
    const end = Math.min(address + size, ADDRESS_MAX);
    this.tables.rows.frameData.add(address, end, parameters, saved, locals, ...this.#rest(RULES_BYTES_MAX));
  }

  /** Of several symbols at one place: nothing depends on it. */
  #skipMark(): void {
    this.#skipSpaces();
    const isMark = this.#bytes[this.#at] === 109 && this.#bytes[this.#at + 1] === SPACE;
    if (isMark && this.#at + 1 < this.#end) this.#at += 2;
  }

  /** -1 when there is none, or it is larger than any address within a module. */
  #hex(): number {
    this.#skipSpaces();
    let value = -1;
    for (; this.#at < this.#end; this.#at++) {
      const digit = digitOf(this.#bytes[this.#at] as number);
      if (digit < 0) break;
      value = Math.max(value, 0) * 16 + digit;
      if (value > ADDRESS_MAX) return -1;
    }
    return this.#isAtBreak() ? value : -1;
  }

  #decimal(): number {
    this.#skipSpaces();
    let value = -1;
    for (; this.#at < this.#end; this.#at++) {
      const digit = (this.#bytes[this.#at] as number) - 48;
      if (digit < 0 || digit > 9) break;
      value = Math.max(value, 0) * 10 + digit;
      if (value > ADDRESS_MAX) return -1;
    }
    return this.#isAtBreak() ? value : -1;
  }

  #word(): string {
    this.#skipSpaces();
    const from = this.#at;
    while (this.#at < this.#end && !isSpace(this.#bytes[this.#at] as number)) this.#at++;
    return this.#at - from > 20 ? '' : String.fromCharCode(...this.#bytes.subarray(from, this.#at));
  }

  /** The rest of the line, in the pool. */
  #rest(bytesMax: number): [at: number, length: number] {
    this.#skipSpaces();
    const text = this.#bytes.subarray(this.#at, Math.min(this.#end, this.#at + bytesMax));
    return text.length === 0 ? [0, 0] : [this.tables.addText(text), text.length];
  }

  #isAtBreak(): boolean {
    return this.#at >= this.#end || isSpace(this.#bytes[this.#at] as number);
  }

  #skipSpaces(): void {
    while (this.#at < this.#end && isSpace(this.#bytes[this.#at] as number)) this.#at++;
  }
}

const isSpace = (byte: number): boolean => byte === SPACE || byte === TAB;

function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  if (byte >= 97 && byte <= 102) return byte - 87;
  return byte >= 65 && byte <= 70 ? byte - 55 : -1;
}
