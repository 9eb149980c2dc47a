import { highlightLines, type TokenKind } from './highlight-lines.ts';
import { languageOf } from './languages.ts';

export type SourceLine = {
  /** null when the SDK knows the text but not the line. */
  number: number | null;
  text: string;
  isCalled: boolean;
};

/** Source as it is sent to whoever draws it. */
export type DrawnSource = {
  /** The number of the first line; 0 or less when the SDK sent more lines before the call than there are. */
  first?: number;
  /** The index of the line of the call. */
  called: number;
  lines: readonly DrawnLine[];
};

/** A text, or parts of it: those of a color come with the class that gives it. */
export type DrawnLine = string | readonly (string | readonly [className: string, text: string])[];

/** `file` is what the source is called, and `platform` that of the event: they tell the language. */
export function drawSource(lines: readonly SourceLine[], file: string, platform: string): DrawnSource {
  const called = lines.findIndex((line) => line.isCalled);
  const number = lines[called]?.number ?? null;
  const texts = lines.map((line) => line.text);
  const language = languageOf(file, platform);
  return {
    ...(number !== null && { first: number - called }),
    called,
    lines: language
      ? highlightLines(texts, language).map((tokens) =>
          tokens.map(({ kind, text }) => (kind === 'plain' ? text : ([CLASSES[kind], text] as const))),
        )
      : texts,
  };
}

/** Within `source` of the style sheet. */
const CLASSES: Record<Exclude<TokenKind, 'plain'>, string> = {
  keyword: 'k',
  text: 't',
  comment: 'c',
  number: 'n',
  call: 'f',
  type: 'y',
};
