import { hash } from 'node:crypto';
import type { ReadOptions } from '../transfer-source.ts';

type Asked = Pick<ReadOptions, 'kinds' | 'projects' | 'fromMs' | 'toMs'>;

/** A cursor of a source as it is kept: with what was asked of the source, since it leaves out what that did not include. */
export const keepCursor = (asked: Asked, cursor: string): string => `${digestOf(asked)} ${cursor}`;

/** The cursor of the source; null when something else was asked. */
export function readKeptCursor(asked: Asked, kept: string | null): string | null {
  const prefix = `${digestOf(asked)} `;
  return kept?.startsWith(prefix) ? kept.slice(prefix.length) : null;
}

const digestOf = ({ kinds, projects, fromMs, toMs }: Asked): string =>
  hash('md5', JSON.stringify([[...kinds].sort(), projects && [...projects].sort(), fromMs, toMs]));
