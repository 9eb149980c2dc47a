import { hash } from 'node:crypto';
import type { RawItem } from '#pipeline/item.ts';
import type { Ahead } from './read-ahead.ts';
import type { RecordItem } from './spool-record.ts';

/** An item of a record as the pipeline takes it. */
export const rawItem = ({ type, payload, facts }: RecordItem, itemId: string, ahead: Ahead): RawItem => ({
  type,
  payload,
  contentType: facts?.contentType ?? null,
  filename: facts?.filename ?? null,
  attachmentType: facts?.attachmentType ?? null,
  itemCount: facts?.itemCount ?? null,
  platform: facts?.platform ?? null,
  blob: facts?.blob ?? null,
  release: facts?.release ?? null,
  environment: facts?.environment ?? null,
  itemId,
  ...ahead,
});

/** 32 hex digits: the same for the same place in the spool. */
export const idOfItem = (spoolId: string, position: number, index: number): string =>
  hash('md5', `${spoolId}:${position}:${index}`);
