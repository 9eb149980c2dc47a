/** Of the JSON of one event; a larger one is told, and left out. */
export const EVENT_CHARACTERS_MAX = 2 * 1024 * 1024;
/** Events that are in memory at once, with their bodies. */
export const EVENT_PAGE_ROWS = 50;
