/** A pattern, and how far it was read. */
export class PatternScanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  /** Throws PatternRefusal. */
  refuse(position: number, message: string): never {
    throw new PatternRefusal(position, message);
  }
}

export class PatternRefusal extends Error {
  /** Counted from 0. */
  readonly position: number;
  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}
