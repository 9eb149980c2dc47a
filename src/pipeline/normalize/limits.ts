/** Bounds of one stored event. What is cut leaves an entry in its `errors`, except for source lines and lists of names. */

export const PROBLEMS_MAX = 100;
export const PROBLEM_VALUE_CHARS_MAX = 200;

export const NAME_CHARS_MAX = 256;
export const MESSAGE_CHARS_MAX = 8_192;
export const PATH_CHARS_MAX = 2_048;
export const ENVIRONMENT_CHARS_MAX = 64;
export const DIST_CHARS_MAX = 64;
export const RELEASE_CHARS_MAX = 250;
export const TRANSACTION_CHARS_MAX = 200;
export const LOGGER_CHARS_MAX = 256;
export const CHECKSUM_CHARS_MAX = 128;
export const PLATFORM_CHARS_MAX = 64;

export const EXCEPTIONS_MAX = 100;
export const FRAMES_PER_STACK_MAX = 250;
export const SOURCE_LINES_MAX = 20;
export const SOURCE_LINE_CHARS_MAX = 1_024;
export const REGISTERS_MAX = 200;
export const THREADS_MAX = 1_000;
export const BREADCRUMBS_MAX = 200;
export const PARAMS_MAX = 100;
export const FINGERPRINT_PARTS_MAX = 64;
export const CONTEXTS_MAX = 100;
export const MODULES_MAX = 5_000;
export const PACKAGES_MAX = 200;

export const TAGS_MAX = 200;
export const TAG_KEY_CHARS_MAX = 200;
export const TAG_VALUE_CHARS_MAX = 200;

export const PAIRS_MAX = 200;
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
