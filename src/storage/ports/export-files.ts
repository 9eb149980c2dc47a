import type { Readable } from 'node:stream';

/** Archives that people download, by the number of their request. Source: files below the data directory. */
export interface ExportFiles {
  /** Writes the archive; seen under its number, and durable, when it resolves with its size. Replaces an older one. */
  write(requestId: number, content: AsyncIterable<Uint8Array>): Promise<{ bytes: number }>;
  /** null when there is none. */
  read(requestId: number): Promise<{ content: Readable; bytes: number } | null>;
  /** What was written, and what somebody has begun to write, where this machine has it. */
  delete(requestId: number): Promise<void>;
}
