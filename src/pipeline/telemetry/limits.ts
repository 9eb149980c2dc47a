import type { JsonLimits } from '../normalize/limits.ts';

/** Bounds of what is stored of traces, logs and metrics. What is beyond them is counted or marked, never silently lost. */

/** Elements of one container, of one OTLP request or lines of one statsd item; the rest is counted as `too_many_items`. */
export const ELEMENTS_MAX = 10_000;
/** Spans of one transaction besides its own, as SDKs cap them; the rest is counted as `too_many_spans`. */
export const SPANS_PER_TRANSACTION_MAX = 1_000;

export const ATTRIBUTES_MAX = 512;
export const ATTRIBUTE_KEY_CHARS_MAX = 200;
export const ATTRIBUTE_VALUE_CHARS_MAX = 16_384;
/** Keys and values of one element together. */
export const ATTRIBUTES_CHARS_MAX = 262_144;
/** Objects and arrays as values of attributes, which are stored as their JSON. */
export const ATTRIBUTE_JSON_LIMITS: JsonLimits = {
  depthMax: 6,
  charsMax: ATTRIBUTE_VALUE_CHARS_MAX,
  stringCharsMax: 8_192,
  itemsMax: 1_000,
};

export const LINKS_MAX = 100;
export const LINK_LIMITS: JsonLimits = { depthMax: 4, charsMax: 4_096, stringCharsMax: 1_024, itemsMax: 64 };

export const SPAN_NAME_CHARS_MAX = 8_192;
export const OP_CHARS_MAX = 256;
export const STATUS_CHARS_MAX = 64;
/** Longer ones are the work of a broken clock. */
export const SPAN_DURATION_MAX_US = 366 * 24 * 3_600 * 1_000_000;
/** How far from its arrival a span may begin, after the clock rules. */
export const SPAN_AGE_MAX_US = 400 * 24 * 3_600 * 1_000_000;
export const SPAN_AHEAD_MAX_US = 24 * 3_600 * 1_000_000;

export const MEASUREMENTS_MAX = 100;
export const LOG_BODY_CHARS_MAX = 65_536;

export const METRIC_NAME_CHARS_MAX = 200;
export const METRIC_UNIT_CHARS_MAX = 32;
export const STATSD_TAGS_MAX = 50;
export const STATSD_TAG_CHARS_MAX = 200;
/** Tags are copied to every value of their line. */
export const STATSD_TAGS_CHARS_MAX = 2_048;

/** Attributes of an OTLP resource or scope, which are copied to each of its elements. */
export const SHARED_ATTRIBUTES_CHARS_MAX = 8_192;
/** How much those copies may add up to: a small request must not become a large insert. */
export const SHARED_COPIES_CHARS_PER_BYTE = 16;
export const SHARED_COPIES_CHARS_MIN = 262_144;
