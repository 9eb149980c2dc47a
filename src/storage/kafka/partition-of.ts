import { murmurHash } from '#lib/murmur-hash.ts';

/** The partition of everything that brings an event of this id: whoever owns it knows which ids came before. */
export const partitionOf = (projectId: number, eventId: string, partitions: number): number =>
  murmurHash(`${projectId}:${eventId}`) % partitions;
