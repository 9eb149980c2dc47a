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
