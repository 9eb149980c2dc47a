/** Different functions of one profile; frames beyond it are left out of their stacks. */
export const PROFILE_FRAMES_MAX = 10_000;
/** Characters of the name, the module or the file of a frame. */
const FRAME_CHARS_MAX = 300;
/** The highest number of a line or a column. */
const POSITION_MAX = 2_147_483_647;

/** A function that was running. */
export type ProfileFrame = {
  name: string;
  /** Empty when unknown, as `file`. */
  module: string;
  file: string;
  /** null when unknown; of a function that was met at several lines, one of them. */
  line: number | null;
  column: number | null;
  /** Of a library or of the runtime, rather than of the program itself. */
  isLibrary: boolean;
};

/** Functions of a profile, each once. */
export class FrameTable {
  readonly frames: ProfileFrame[] = [];
  isCut = false;
  readonly #indexes = new Map<string, number>();
  readonly #keyOf: (frame: ProfileFrame) => string;

  /** `platform` is what the SDK calls the language: `python`, `node`. */
  constructor(platform: string, keyOf: (platform: string, frame: ProfileFrame) => string = keyInProfile) {
    this.#keyOf = (frame) => keyOf(platform, frame);
  }

  /** The index in `frames` of each; -1 becomes a hole for what is no frame or is beyond the bound. */
  addAll(sent: readonly unknown[]): readonly number[] {
    const indexes: number[] = [];
    for (let at = 0; at < Math.min(sent.length, SENT_FRAMES_MAX); at++) {
      const index = this.#add(sent[at]);
      if (index !== null) indexes[at] = index;
    }
    if (sent.length > SENT_FRAMES_MAX) this.isCut = true;
    return indexes;
  }

  /** null when there is no room for it. */
  #add(sent: unknown): number | null {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
    return this.addFrame(readFrame(sent as Readonly<Record<string, unknown>>));
  }

  /** null when there is no room for it. */
  addFrame(frame: ProfileFrame): number | null {
    const key = this.#keyOf(frame);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    if (this.frames.length >= PROFILE_FRAMES_MAX) {
      this.isCut = true;
      return null;
    }
    this.#indexes.set(key, this.frames.length);
    return this.frames.push(frame) - 1;
  }
}

/**
 * What a function is within one profile. JavaScript names where a function is defined, and many have no name; other
 * languages name the line that was running, which would make one function many.
 */
const keyInProfile = (platform: string, frame: ProfileFrame): string =>
  keyOf(frame, JAVASCRIPT.test(platform) || ANONYMOUS.test(frame.name));

/**
 * What a function is in profiles of several releases, where lines move: its name and its file. What has no name, or one
 * that a minifier gave it, is told apart by its position all the same.
 */
export const keyAcrossReleases = (platform: string, frame: ProfileFrame): string =>
  keyOf(
    frame,
    ANONYMOUS.test(frame.name) || (JAVASCRIPT.test(platform) && frame.name.length <= MINIFIED_CHARS_MAX),
  );

const keyOf = ({ name, module, file, line, column }: ProfileFrame, isByPosition: boolean): string =>
  `${name}\n${module}\n${file}\n${isByPosition ? `${line}:${column}` : ''}`;

/** Names of functions that are not longer are taken for those of a minifier. */
const MINIFIED_CHARS_MAX = 2;
/** Frames of one profile that are looked at. */
const SENT_FRAMES_MAX = 100_000;
const JAVASCRIPT = /^(javascript|node)/;
const ANONYMOUS = /^(<?\(?anonymous\)?>?|<lambda>|\?|)$/;

function readFrame(sent: Readonly<Record<string, unknown>>): ProfileFrame {
  const file = textOf(sent.filename) || textOf(sent.abs_path);
  const module = textOf(sent.module) || textOf(sent.package);
  const address = textOf(sent.abs_path) || file;
  return {
    name: textOf(sent.function) || textOf(sent.name) || textOf(sent.instruction_addr) || '<anonymous>',
    module,
    file,
    line: positionOf(sent.lineno) ?? positionOf(sent.line),
    column: positionOf(sent.colno) ?? positionOf(sent.column),
    isLibrary: typeof sent.in_app === 'boolean' ? !sent.in_app : isLibraryFile(address),
  };
}

const LIBRARY =
  /(^|[\\/])(node_modules|site-packages|dist-packages|vendor|gems)[\\/]|^(node|internal|native|bun|ext|chrome-extension|moz-extension):|^node_|[\\/]lib[\\/](python|ruby)[\d.]*[\\/]|^<frozen |^\/(usr|System|opt\/homebrew)\/|^\[native/;

/** Also where no file is known: that is the runtime, or what it waits for. */
export const isLibraryFile = (file: string): boolean => file === '' || LIBRARY.test(file);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, FRAME_CHARS_MAX).toWellFormed() : '';

const positionOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= POSITION_MAX ? value : null;
