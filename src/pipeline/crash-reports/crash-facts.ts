import type { ExceptionValue, Thread } from '#protocol/event.ts';

/** What a crash dump or an Unreal crash report says about itself. */
export type CrashFacts =
  | { kind: 'unreadable'; reason: string }
  | {
      kind: 'crash';
      /** For example `EXCEPTION_ACCESS_VIOLATION_READ / 0x0` or `SIGSEGV /SEGV_MAPERR`. */
      exception: ExceptionValue;
      threads: readonly Thread[];
      /** `debug_meta.images`, as in the event protocol. */
      images: readonly Readonly<Record<string, unknown>>[];
      /** Contexts by name: `os`, `device`, `unreal` … */
      contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      /** Fields that the report sets on the event (user, release, message …), as an SDK would send them. */
      event: Readonly<Record<string, unknown>>;
      /** Files that were packed into the report, already in the blob store. */
      files: readonly { name: string; type: string; contentType: string; bytes: number; blobKey: string }[];
      /** Seconds since the epoch; null when the dump does not say. */
      timestamp: number | null;
      /** What the user wrote when the crash reporter asked; absent or null when it did not, or they wrote nothing. */
      userReport?: { name: string | null; comments: string } | null;
    };

/** Bytes that are read where they are needed: a dump of 200 MiB is never held. */
export type ByteSource = {
  readonly size: number;
  /** The bytes from `offset` on, fewer than `length` only at the end. Throws what the store throws. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

export const bytesAsSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

/** A part of a source, as a source of its own. */
export const partOfSource = (source: ByteSource, start: number, size: number): ByteSource => ({
  size,
  read: (offset, length) => source.read(start + offset, Math.max(0, Math.min(length, size - offset))),
});
