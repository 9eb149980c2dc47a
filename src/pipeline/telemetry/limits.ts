import type { JsonLimits } from '../normalize/limits.ts';

/** Bounds of what is stored of traces, logs and metrics. What is beyond them is counted or marked, never silently lost. */

/** Elements of one container, of one OTLP request or lines of one statsd item; the rest is counted as `too_many_items`. */
export const ELEMENTS_MAX = 10_000;
/** Spans of one transaction besides its own, as SDKs cap them; the rest is counted as `too_many_spans`. */
export const SPANS_PER_TRANSACTION_MAX = 1_000;

/** Attributes of one element. */
export const ATTRIBUTES_MAX = 512;
/** Key of an attribute. */
export const ATTRIBUTE_KEY_CHARS_MAX = 200;
/** Value of an attribute. */
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

/** Links of one span. */
export const LINKS_MAX = 100;
export const LINK_LIMITS: JsonLimits = { depthMax: 4, charsMax: 4_096, stringCharsMax: 1_024, itemsMax: 64 };

/** Name of a span. */
export const SPAN_NAME_CHARS_MAX = 8_192;
/** Operation of a span. */
export const OP_CHARS_MAX = 256;
/** Status of a span. */
export const STATUS_CHARS_MAX = 64;
/** Duration of a span; a longer one is a wrong clock. */
export const SPAN_DURATION_MAX_US = 366 * 24 * 3_600 * 1_000_000;
/** How long before its arrival a span may start, after clock correction. */
export const SPAN_AGE_MAX_US = 400 * 24 * 3_600 * 1_000_000;
/** How long after its arrival a span may start, after clock correction. */
export const SPAN_AHEAD_MAX_US = 24 * 3_600 * 1_000_000;

/** Measurements of one transaction. */
export const MEASUREMENTS_MAX = 100;
/** Message of a log entry. */
export const LOG_BODY_CHARS_MAX = 65_536;

/** Name of a metric. */
export const METRIC_NAME_CHARS_MAX = 200;
/** Unit of a metric or measurement. */
export const METRIC_UNIT_CHARS_MAX = 32;
/** Tags of one statsd line. */
export const STATSD_TAGS_MAX = 50;
/** Name or value of a statsd tag. */
export const STATSD_TAG_CHARS_MAX = 200;
/** All tags of a statsd line: they are copied to each of its values. */
export const STATSD_TAGS_CHARS_MAX = 2_048;

/** Attributes of an OTLP resource or scope, which are copied to each of its elements. */
export const SHARED_ATTRIBUTES_CHARS_MAX = 8_192;
/** How much those copies may add up to: a small request must not become a large insert. */
export const SHARED_COPIES_CHARS_PER_BYTE = 16;
export const SHARED_COPIES_CHARS_MIN = 262_144;
