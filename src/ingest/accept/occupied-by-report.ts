import { FILES_MAX } from '#pipeline/crash-reports/unreal/read-container.ts';
import { occupiedBytes } from '../blob-room.ts';

/**
 * Compressed, each about as large as the report: itself, what digest unpacks for a moment, and the files in it together.
 * Digest asks for no room, so the edge counts all three.
 */
const COPIES_OF_REPORT = 3;

/** What a report of Unreal takes of the disk at most: each file in it takes a block, however short it is. */
export const occupiedByReport = (fileBytes: number): number =>
  COPIES_OF_REPORT * occupiedBytes(fileBytes) + FILES_MAX * occupiedBytes(1);
