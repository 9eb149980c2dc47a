import { isDigit, isEmailSign, isHostSign, isWord } from './parameterization/char-kinds.ts';
import { findDate, mayBeginDate } from './parameterization/find-date.ts';
import { findHostname, findIp } from './parameterization/find-host.ts';
import { digitsEnd, floatEnd, numberKind, readWord } from './parameterization/find-number.ts';

/**
 * A message with what varies in it replaced by its kind: `User 17 not found` is `User <int> not found`. Time is in
 * proportion to the length.
 */
export const parameterize = (message: string): string => new Parameterizer(message).run();

const DASH = 0x2d;
const EQUALS = 0x3d;
const COLON = 0x3a;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

const ZERO = 0x30;
const LOWER_T = 0x74;

/** f, h, w */
const URL_OPENERS: ReadonlySet<number> = new Set([0x66, 0x68, 0x77]);
const URL = /(?:https?|wss?|ftp):\/\/[^\s/$.?#].\S*/y;
const TRACEPARENT = /(?:00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]|1-[0-9a-f]{8}-[0-9a-f]{24})(?![\p{L}\p{N}_])/uy;
const UUID = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\p{L}\p{N}_])/uy;
/** A request of OpenStack Swift. */
const SWIFT_TRANSACTION = /tx[0-9a-f]{21}-[0-9a-f]{10}\S*/y;
const PREFIXED_HEX = /0[xX][0-9a-fA-F]+/y;
const BOOLEAN = /[Tt]rue|[Ff]alse/y;

/** Finds values from left to right; at one place, what comes first in `#match` wins. */
class Parameterizer {
  readonly #text: string;
  #at = 0;
  /** Where the last value that was found ends. */
  #end = 0;
  /** Where the word ends that was looked at last. */
  #wordEnd = 0;
  /** Up to here it is known whether a run of signs is the first half of an email address. */
  #emailChecked = 0;
  /** No host name begins before. */
  #hostFailedBefore = 0;
  /** No duration begins within the digits before. */
  #durationFailedBefore = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    const text = this.#text;
    let result = '';
    let copied = 0;
    while (this.#at < text.length) {
      const kind = this.#match();
      if (kind === null) {
        this.#at += 1;
        continue;
      }
      result += `${text.slice(copied, this.#at)}<${kind}>`;
      copied = this.#end;
      this.#at = this.#end;
    }
    return copied === 0 ? text : result + text.slice(copied);
  }

  /** The kind of value that begins here, its end in `#end`; null for none. */
  #match(): string | null {
    const at = this.#at;
    const unit = this.#text.charCodeAt(at);
    if (at < this.#wordEnd && at < this.#emailChecked && !mayBeginDate(unit)) return null;
    if (at >= this.#emailChecked && isEmailSign(unit) && this.#isEmail()) return 'email';
    const previous = this.#text.charCodeAt(at - 1);
    const isInWord = isWord(previous);
    if (isWord(unit)) return isInWord ? this.#matchWithinWord(unit) : this.#matchWord(unit, previous);
    if (isInWord && unit === DASH) return this.#isHost() ? 'hostname' : this.#float(at + 1);
    switch (unit) {
      case DASH:
        return this.#matchNegative();
      case COLON:
        return !isInWord && previous !== COLON && this.#found(findIp(this.#text, at)) ? 'ip' : null;
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE:
        return previous === EQUALS && this.#isQuoted() ? 'quoted_str' : null;
      default:
        return null;
    }
  }

  /** Only dates and durations may begin within a word. */
  #matchWithinWord(unit: number): string | null {
    if (this.#found(findDate(this.#text, this.#at, false))) return 'date';
    return isDigit(unit) && this.#isDuration(false) ? 'duration' : null;
  }

  #matchWord(unit: number, previous: number): string | null {
    const text = this.#text;
    const at = this.#at;
    if (URL_OPENERS.has(unit) && this.#matches(URL)) return 'url';
    if (this.#isHost()) return 'hostname';
    const word = readWord(text, at);
    this.#wordEnd = word.end;
    const length = word.end - at;
    if (word.isHex) {
      if (length <= 2 && this.#matches(TRACEPARENT)) return 'traceparent';
      if (length === 8 && this.#matches(UUID)) return 'uuid';
      if (length === 40) return this.#upTo(word.end, 'sha1');
      if (length === 32) return this.#upTo(word.end, 'md5');
    }
    if (this.#found(findDate(text, at, true))) return 'date';
    if (word.isHex && this.#found(findIp(text, at))) return 'ip';
    if (isDigit(unit) && this.#isDuration(true)) return 'duration';
    if (unit === LOWER_T && this.#matches(SWIFT_TRANSACTION)) return 'swift_txn_id';
    if (unit === ZERO && this.#matches(PREFIXED_HEX) && this.#end === word.end) return 'hex';
    const number = numberKind(word);
    if (number !== null && number !== 'int') return this.#upTo(word.end, number);
    if (isDigit(unit) && this.#float(at) !== null) return 'float';
    if (number !== null) return this.#upTo(word.end, number);
    return previous === EQUALS && this.#matches(BOOLEAN) ? 'bool' : null;
  }

  /** A dash that connects nothing before it is a minus sign. */
  #matchNegative(): string | null {
    const next = this.#at + 1;
    const word = readWord(this.#text, next);
    if (word.end === next) return null;
    const number = numberKind(word);
    if (number === 'hex') return this.#upTo(word.end, number);
    if (this.#float(next) !== null) return 'float';
    return number === 'int' ? this.#upTo(word.end, number) : null;
  }

  #float(start: number): 'float' | null {
    return this.#found(floatEnd(this.#text, start)) ? 'float' : null;
  }

  #isEmail(): boolean {
    const text = this.#text;
    let end = this.#at;
    while (isEmailSign(text.charCodeAt(end))) end += 1;
    this.#emailChecked = end;
    if (text[end] !== '@' || !isHostSign(text.charCodeAt(end + 1))) return false;
    let host = end + 1;
    for (;;) {
      while (isHostSign(text.charCodeAt(host))) host += 1;
      if (text[host] !== '.' || !isHostSign(text.charCodeAt(host + 1))) break;
      host += 1;
    }
    this.#end = host;
    return true;
  }

  #isHost(): boolean {
    if (this.#at < this.#hostFailedBefore || !isHostSign(this.#text.charCodeAt(this.#at))) return false;
    const { end, failedBefore } = findHostname(this.#text, this.#at);
    if (failedBefore !== null) this.#hostFailedBefore = failedBefore;
    return this.#found(end);
  }

  /** `15ms` begins a word, `1.5s` ends one. */
  #isDuration(isAtBoundary: boolean): boolean {
    if (this.#at < this.#durationFailedBefore) return false;
    const text = this.#text;
    const whole = digitsEnd(text, this.#at);
    if (isAtBoundary && text.startsWith('ms', whole)) return this.#found(whole + 2);
    const fraction = text[whole] === '.' ? digitsEnd(text, whole + 1) : whole;
    const end = fraction === whole + 1 ? whole : fraction;
    if (text[end] === 's' && !isWord(text.charCodeAt(end + 1))) return this.#found(end + 1);
    this.#durationFailedBefore = whole;
    return false;
  }

  #isQuoted(): boolean {
    const start = this.#at + 1;
    const end = this.#text.indexOf(this.#text[this.#at] as string, start);
    return end > start && this.#found(end + 1);
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#end = pattern.lastIndex;
    return true;
  }

  #found(end: number | null): boolean {
    if (end === null) return false;
    this.#end = end;
    return true;
  }

  #upTo<Kind extends string>(end: number, kind: Kind): Kind {
    this.#end = end;
    return kind;
  }
}
