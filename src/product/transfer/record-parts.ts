import { z } from 'zod';

/** Of names, slugs and ids in a record. */
export const TEXT_CHARACTERS_MAX = 1_024;
/** Of what people wrote. */
export const LONG_TEXT_CHARACTERS_MAX = 1_000_000;
/** Entries of a list in one record: members of a team, comments of an issue, commits of a release. */
export const LIST_MAX = 100_000;

export const TEXT = z.string().min(1).max(TEXT_CHARACTERS_MAX);
export const LONG_TEXT = z.string().max(LONG_TEXT_CHARACTERS_MAX);
/** RFC 3339, with any offset and any fraction of a second: `2026-01-31T04:05:00.123Z`. */
export const TIME = z.iso.datetime({ offset: true });
/** The ID in the source; any text, unique among the records of its kind. */
export const SOURCE_ID = TEXT;
export const EMAIL = z.email().max(320);
/** 32 lower-case hex digits. */
export const HEX_ID = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lowercase hex digits');
/** JSON of any shape. */
export const JSON_OBJECT = z.record(z.string(), z.unknown());

/** Who did something; both null when the source does not say. People are matched by their address: one that is none is left out. */
export const PERSON = z.object({
  email: EMAIL.nullable().catch(null),
  name: z.string().max(TEXT_CHARACTERS_MAX).nullable(),
});
export type TransferPerson = z.output<typeof PERSON>;

/** Whom something belongs to: a person by address, or a team by the `id` of its record. */
export const OWNER = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), email: EMAIL }),
  z.object({ kind: z.literal('team'), team: SOURCE_ID }),
]);
export type TransferOwner = z.output<typeof OWNER>;

/** A file that belongs to a record: its path within the folder, with `/`, or whatever name the reader opens it by. */
export const FILE = z.object({
  path: TEXT,
  bytes: z.int().nonnegative(),
  /** 64 lower-case hex digits; null when the source does not say. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});
export type TransferFile = z.output<typeof FILE>;
