/** In the headers of a record without a value: where its bytes lie, because they are too many for the topic. */
export const BLOB_HEADER = 'errata-blob';

/** What the format of Kafka adds to a batch and to each of its records, at most. */
export const BATCH_HEAD_BYTES = 512;
export const RECORD_HEAD_BYTES = 64;

/** The bytes of a record that lies in the blob store, at most: an envelope with everything that may be inline. */
export const RECORD_BYTES_MAX = 64 * 1024 * 1024;
