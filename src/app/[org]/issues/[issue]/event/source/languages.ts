/** What tells the parts of a line apart. Few rules for many languages: enough to read by, not to compile by. */
export type Language = {
  lineComments: readonly string[];
  /** null when the language has none. */
  blockComment: readonly [open: string, close: string] | null;
  /** Opening marks of texts, longer ones first; each ends with itself. */
  quotes: readonly string[];
  /** Those of `quotes` that may go on over the end of a line. */
  longQuotes: readonly string[];
  keywords: ReadonlySet<string>;
};

/** By the ending of the file's name, else by the platform of the event; null for what is not known. */
export function languageOf(file: string, platform: string): Language | null {
  const ending = /\.([a-z+]{1,6})(?:$|[?#:])/i.exec(file.slice(-ENDING_CHARACTERS))?.[1]?.toLowerCase();
  return (ending && BY_ENDING.get(ending)) || (BY_PLATFORM.get(platform) ?? null);
}

/** Endings are looked for in the last part of a name only: names are as long as somebody wants. */
const ENDING_CHARACTERS = 80;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const C_COMMENTS = { lineComments: ['//'], blockComment: ['/*', '*/'] } as const;

const SCRIPT: Language = {
  ...C_COMMENTS,
  quotes: ['"', "'", '`'],
  longQuotes: ['`'],
  keywords: words(
    'abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace never new null number object of private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield',
  ),
};

const PYTHON: Language = {
  lineComments: ['#'],
  blockComment: null,
  quotes: ['"""', "'''", '"', "'"],
  longQuotes: ['"""', "'''"],
  keywords: words(
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
};

const RUBY: Language = {
  lineComments: ['#'],
  blockComment: null,
  quotes: ['"', "'", '`'],
  longQuotes: [],
  keywords: words(
    'alias and begin break case class def defined do else elsif end ensure extend false for if in include module next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield',
  ),
};

const PHP: Language = {
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
  quotes: ['"', "'"],
  longQuotes: [],
  keywords: words(
    'abstract and array as break case catch class clone const continue declare default do echo else elseif empty enum extends false final finally fn for foreach function global if implements include instanceof interface isset match namespace new null or private protected public readonly require return self static string switch this throw trait true try unset use var void while yield',
  ),
};

const JAVA_LIKE: Language = {
  ...C_COMMENTS,
  quotes: ['"""', '"', "'"],
  longQuotes: ['"""'],
  keywords: words(
    'abstract as async await base bool boolean break by byte case catch char class companion const continue data decimal def default delegate do double dynamic else enum event extends extern false final finally float for foreach fun get if implements import in init inner instanceof int interface internal is lateinit late lock long module namespace native new null object open operator out override package params private protected public readonly record ref return sealed set short static string struct super suspend switch synchronized this throw throws trait transient true try typealias typeof using val var virtual void volatile when where while with yield',
  ),
};

const GO: Language = {
  ...C_COMMENTS,
  quotes: ['"', "'", '`'],
  longQuotes: ['`'],
  keywords: words(
    'any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch true type uint var',
  ),
};

const RUST: Language = {
  ...C_COMMENTS,
  // A single quote also begins a lifetime.
  quotes: ['"'],
  longQuotes: ['"'],
  keywords: words(
    'as async await bool break const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl in let loop match mod move mut pub ref return self static str struct super trait true type u32 u64 u8 unsafe use usize where while',
  ),
};

const C_LIKE: Language = {
  ...C_COMMENTS,
  quotes: ['"', "'"],
  longQuotes: [],
  keywords: words(
    'auto bool break case catch char class const constexpr continue default delete do double dynamic_cast else enum explicit extern false final float for friend goto id if inline int long mutable namespace new nil noexcept nullptr operator override private protected public register return self short signed sizeof static static_cast struct super switch template this throw true try typedef typename union unsigned using virtual void volatile while NULL YES NO',
  ),
};

const SWIFT: Language = {
  ...C_COMMENTS,
  quotes: ['"""', '"'],
  longQuotes: ['"""'],
  keywords: words(
    'actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nil open operator override private protocol public repeat rethrows return self set some static struct subscript super switch throw throws true try typealias unowned var weak where while',
  ),
};

const ELIXIR: Language = {
  lineComments: ['#'],
  blockComment: null,
  quotes: ['"""', '"', "'"],
  longQuotes: ['"""'],
  keywords: words(
    'after alias and case catch cond def defimpl defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive rescue require true try unless unquote use when with',
  ),
};

const byNames = (
  ...entries: readonly (readonly [Language, names: string])[]
): ReadonlyMap<string, Language> =>
  new Map(entries.flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)));

const BY_ENDING = byNames(
  [SCRIPT, 'js jsx mjs cjs ts tsx mts cts vue svelte'],
  [PYTHON, 'py pyw pyx'],
  [RUBY, 'rb rake erb'],
  [PHP, 'php phtml'],
  [JAVA_LIKE, 'java kt kts scala groovy cs vb fs dart'],
  [C_LIKE, 'c h cc cpp cxx hpp m mm'],
  [ELIXIR, 'ex exs'],
  [GO, 'go'],
  [RUST, 'rs'],
  [SWIFT, 'swift'],
);

/** The names that SDKs give themselves. Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/#required-attributes */
const BY_PLATFORM = byNames(
  [SCRIPT, 'javascript node'],
  [PYTHON, 'python'],
  [RUBY, 'ruby'],
  [PHP, 'php'],
  [JAVA_LIKE, 'java csharp groovy dart'],
  [GO, 'go'],
  [RUST, 'rust'],
  [C_LIKE, 'c native objc'],
  [SWIFT, 'cocoa'],
  [ELIXIR, 'elixir'],
);
