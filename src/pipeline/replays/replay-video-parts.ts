/** A part of a video that was put into the blob store. */
export type StoredPart = { key: string; bytes: number };

/** What a `replay_video` packs together; `unreadable` when it is no such thing. */
export type ReplayVideoParts =
  | { kind: 'unreadable' }
  | {
      kind: 'parts';
      /** JSON of the replay's event. */
      event: Uint8Array;
      /** First bytes of the recording: its header line is among them. */
      recordingHead: Uint8Array;
      recording: StoredPart;
      video: StoredPart;
    };

/** Where the parts of a video go, made from the item's id. */
export const recordingName = (itemId: string): string => `${itemId}-recording`;
export const videoName = (itemId: string): string => `${itemId}-video`;
