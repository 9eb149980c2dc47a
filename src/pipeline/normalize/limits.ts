/** Bounds of one stored event. What is cut leaves an entry in its `errors`, except for source lines and lists of names. */

/** Processing errors of one event. Whatever is cut adds one, except for source lines and lists of names. */
export const PROBLEMS_MAX = 100;
/** Text of an invalid value in a processing error. */
export const PROBLEM_VALUE_CHARS_MAX = 200;

/** Short names, such as types, keys and IDs. */
export const NAME_CHARS_MAX = 256;
/** Message of an event, and value of an exception. */
export const MESSAGE_CHARS_MAX = 8_192;
/** Paths, URLs, modules and function names. */
export const PATH_CHARS_MAX = 2_048;
/** Environment of an event. */
export const ENVIRONMENT_CHARS_MAX = 64;
/** Distribution of a release. */
export const DIST_CHARS_MAX = 64;
/** Release of an event. */
export const RELEASE_CHARS_MAX = 250;
/** Transaction name of an event. */
export const TRANSACTION_CHARS_MAX = 200;
/** Logger of an event. */
export const LOGGER_CHARS_MAX = 256;
/** Checksum of an event. */
export const CHECKSUM_CHARS_MAX = 128;
/** Platform of an event. */
export const PLATFORM_CHARS_MAX = 64;

/** Exceptions of one event. */
export const EXCEPTIONS_MAX = 100;
/** Frames of one stack trace: both ends are kept. */
export const FRAMES_PER_STACK_MAX = 250;
/** Source lines before a frame, and after it, each. */
export const SOURCE_LINES_MAX = 20;
/** One source line of a frame. */
export const SOURCE_LINE_CHARS_MAX = 1_024;
/** Registers of one stack trace. */
export const REGISTERS_MAX = 200;
/** Threads of one event. */
export const THREADS_MAX = 1_000;
/** Breadcrumbs of one event. */
export const BREADCRUMBS_MAX = 200;
/** Parameters of a message. */
export const PARAMS_MAX = 100;
/** Parts of a fingerprint. */
export const FINGERPRINT_PARTS_MAX = 64;
/** Contexts of one event. */
export const CONTEXTS_MAX = 100;
/** Modules of one event. */
export const MODULES_MAX = 5_000;
/** Packages of an SDK. */
export const PACKAGES_MAX = 200;

/** Tags of one event. */
export const TAGS_MAX = 200;
/** Key of a tag. */
export const TAG_KEY_CHARS_MAX = 200;
/** Value of a tag. */
export const TAG_VALUE_CHARS_MAX = 200;

/** Headers, cookies or query parameters of a request, each. */
export const PAIRS_MAX = 200;
/** Value of a header, cookie or query parameter. */
export const PAIR_VALUE_CHARS_MAX = 4_096;

/** How much of free-form JSON is kept. `charsMax` counts the characters of keys and values, about its JSON's length. */
export type JsonLimits = { depthMax: number; charsMax: number; stringCharsMax: number; itemsMax: number };

export const VARS_LIMITS: JsonLimits = {
  depthMax: 5,
  charsMax: 32_768,
  stringCharsMax: 2_048,
  itemsMax: 200,
};
export const EXTRA_LIMITS: JsonLimits = {
  depthMax: 8,
  charsMax: 262_144,
  stringCharsMax: 16_384,
  itemsMax: 1_000,
};
export const CONTEXT_LIMITS: JsonLimits = {
  depthMax: 8,
  charsMax: 65_536,
  stringCharsMax: 8_192,
  itemsMax: 500,
};
export const BREADCRUMB_DATA_LIMITS: JsonLimits = {
  depthMax: 5,
  charsMax: 16_384,
  stringCharsMax: 8_192,
  itemsMax: 200,
};
export const BODY_LIMITS: JsonLimits = {
  depthMax: 8,
  charsMax: 65_536,
  stringCharsMax: 16_384,
  itemsMax: 1_000,
};
export const SMALL_JSON_LIMITS: JsonLimits = {
  depthMax: 5,
  charsMax: 8_192,
  stringCharsMax: 2_048,
  itemsMax: 200,
};
/** Certificates and policies are long. */
export const SECURITY_REPORT_LIMITS: JsonLimits = {
  depthMax: 5,
  charsMax: 65_536,
  stringCharsMax: 16_384,
  itemsMax: 200,
};
export const DEBUG_META_LIMITS: JsonLimits = {
  depthMax: 6,
  charsMax: 524_288,
  stringCharsMax: 2_048,
  itemsMax: 5_000,
};
/** The SDKs' own notes of what they cut follow the depth of the event. */
export const META_LIMITS: JsonLimits = {
  depthMax: 20,
  charsMax: 65_536,
  stringCharsMax: 1_024,
  itemsMax: 1_000,
};
export const PROBLEM_VALUE_LIMITS: JsonLimits = {
  depthMax: 3,
  charsMax: 500,
  stringCharsMax: PROBLEM_VALUE_CHARS_MAX,
  itemsMax: 10,
};
