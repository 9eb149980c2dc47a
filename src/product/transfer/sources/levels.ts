import { LEVELS, type Level } from '#protocol/event.ts';

/** `error` for what is none, as an SDK that names none means it. */
export const levelOf = (value: unknown): Level => LEVELS.find((level) => level === value) ?? 'error';
