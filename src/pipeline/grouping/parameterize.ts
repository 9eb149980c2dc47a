const MESSAGE_CHARS_MAX = 2_048;

/** What varies between two messages of one kind, the longest forms first. Each repetition is bounded, so is the time. */
const VARYING: readonly (readonly [name: string, pattern: string])[] = [
  ['email', String.raw`\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b`],
  [
    'url',
    String.raw`\b[a-z][a-z0-9+.-]{1,15}:\/\/(?:\[[0-9a-f:.]{2,45}\])?[^\s"'<>()\[\]{}]{0,2000}(?<=[^\s:/.,;!?])`,
  ],
  ['traceparent', String.raw`\b(?:00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]|1-[0-9a-f]{8}-[0-9a-f]{24})\b`],
  ['uuid', String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`],
  [
    'date',
    [
      String.raw`\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z?\d{2}:\d{2}|Z| ?[+-]\d{2}:?\d{2})?)?`,
      String.raw`\b\d{8}[T ]\d{6}(?:Z|[+-]\d{4})?(?!\w)`,
      String.raw`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? (?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}(?:[ -]\d{1,4}(?![\d:])){1,2},?(?: \d{1,2}:\d{2}(?::\d{2})?)?(?: \d{4})?(?: (?:[A-Z]{3,4}(?:[+-]\d{4})?|[+-]\d{4})(?: \([A-Za-z ]{2,40}\))?)?`,
      String.raw`\b\d{1,2}\/\d{1,2}\/\d{2,4}(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?\b`,
      String.raw`(?<![\w:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?: ?[AP]M)?(?![\w:])`,
    ].join('|'),
  ],
  [
    'ip',
    [
      String.raw`\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|\/\d{1,2})?\b`,
      String.raw`(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b`,
      String.raw`(?<![\w:])(?=[0-9a-f:]{0,40}\d)(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?:\/\d{1,3})?(?![\w:])`,
    ].join('|'),
  ],
  ['hex', String.raw`\b0x[0-9a-f]{1,64}\b|\b(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{7,128}\b`],
  ['duration', String.raw`\b\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|sec|min|h)\b`],
  ['quoted', String.raw`"[^"\n]{1,500}"|(?<!\w)'[^'\n]{1,500}'(?!\w)|${'`'}[^${'`'}\n]{1,500}${'`'}`],
  [
    'path',
    String.raw`(?<![\w/.<])(?:[a-z]:\\|~\/|\.{1,2}\/|\/)(?:[\w.@%+~ -]{1,100}[\\/])+[\w.@%+~-]{0,100}`,
  ],
  ['float', String.raw`(?<![\w.])[-+]?\d{1,20}\.\d{1,20}(?:e[-+]?\d{1,3})?(?![\w.])`],
  ['int', String.raw`(?<![a-z0-9])(?:(?<!\w)[-+])?\d{1,40}(?![a-z0-9])|(?<=[a-z_])\d{2,40}(?![a-z0-9])`],
];

const PATTERN = new RegExp(VARYING.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'), 'gi');

/** The message with what varies in it replaced by its kind: `User 17 not found` is `User <int> not found`. */
export function parameterize(message: string): string {
  const text = message.slice(0, MESSAGE_CHARS_MAX).trim();
  if (!/[\d"'`/@]|::/.test(text)) return text;
  return text.replace(
    PATTERN,
    (...found: unknown[]) => `<${kindOf(found.at(-1) as Record<string, string>)}>`,
  );
}

function kindOf(groups: Record<string, string | undefined>): string {
  for (const [name] of VARYING) if (groups[name] !== undefined) return name;
  return 'value';
}
