export interface ArtifactFileWriter {
  /** Throws ErrataError 'unavailable' when the disk refuses, 'invalid' past `bytesMax`. */
  write(chunk: Uint8Array): void;
  /**
   * The whole, before it has its name: for those who may refuse it. Nothing more can be written. Throws ErrataError
   * 'invalid' when its checksum is not the expected one; the reader is to be closed before `finish` and `abort`.
   */
  read(): Promise<ArtifactFileReader>;
  /**
   * Resolves once the file is durable under the checksum of its bytes. Throws ErrataError 'invalid' and leaves nothing
   * when that is not the expected one.
   */
  finish(): Promise<{ checksum: Checksum; bytes: number }>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

export interface ArtifactFileReader {
  readonly bytes: number;
  /** Half-open; the file must be that long. */
  read(from: number, to: number): Promise<Buffer>;
  close(): Promise<void>;
}

export type ArtifactFilePlace = { organizationId: number; checksum: Checksum };

/** Bytes of uploads by the SHA-1 of what they are. Source: files below the data directory; S3 fits the interface. */
export interface ArtifactFileStore {
  /** `expected` null: whatever comes. A file that is there already is kept once, as young as the newest. */
  create(
    organizationId: number,
    options: { expected: Checksum | null; bytesMax: number },
  ): Promise<ArtifactFileWriter>;
  /** null when there is none. */
  open(organizationId: number, checksum: Checksum): Promise<ArtifactFileReader | null>;
  has(organizationId: number, checksum: Checksum): Promise<boolean>;
  /**
   * Answers whether a file went: none does when there is none, or when it was written again since `writtenBefore`, in
   * milliseconds since the epoch.
   */
  delete(organizationId: number, checksum: Checksum, writtenBefore: number): Promise<boolean>;
  /** Files that were last written before the moment, always in the same order; at most `limit` after a place. */
  listOlder(
    writtenBefore: number,
    after: ArtifactFilePlace | null,
    limit: number,
  ): Promise<readonly ArtifactFilePlace[]>;
  /** Removes what was being written when a process died, once nobody can be at it any more; answers how many files. */
  removeAbandoned(nowMs: number): Promise<number>;
}

/** SHA-1 in lower-case hex, which is what the clients of the upload protocol name bytes by. */
export type Checksum = string;
