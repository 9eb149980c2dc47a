/** The text of one map; larger ones are not read. */
export const SOURCE_MAP_BYTES_MAX = 64 * 1024 * 1024;
/** 20 bytes each. A bundle of 30 MB has about 3 million. */
export const SEGMENTS_MAX = 6_000_000;
export const GENERATED_LINES_MAX = 5_000_000;
export const SOURCES_MAX = 200_000;
export const NAMES_MAX = 2_000_000;
export const SECTIONS_MAX = 10_000;
/** Lines and columns end here: 31 bits. https://tc39.es/ecma426/#sec-DecodeMappingsField */
export const POSITION_MAX = 2 ** 31 - 1;
